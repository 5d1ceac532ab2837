// Reached by a template without a hole in it.
import { line } from './page.js';

export const say = () => line('From a template');
