// Mutations of the algorithm of publishing. Each removes one fence, order or condition: `from` occurs once in `file`.
// In `to`, OFF is true if this mutation is the one to test.
import { mutationsOfAccess } from './mutations-of-access.mjs';
import { mutationsOfSteps } from './mutations-of-steps.mjs';

/** @typedef {{ name: string, file: string, from: string, to: string }} Mutation */

/** @type {Mutation[]} */
export const mutations = [...mutationsOfAccess, ...mutationsOfSteps];
