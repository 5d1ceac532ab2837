// Makes a release: builds the export and the gate, checks and seals the export, and publishes it to ./public.
import { mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { buildSiteAndGate, permissions, root, run } from './run.mjs';

const records = `${root}.sitegate`;
const seal = `${records}/seal.json`;

const gate = await buildSiteAndGate();
mkdirSync(records, { recursive: true });
run(gate, ['check', ...permissions, '--seal', seal]);
run(gate, ['publish', pathToFileURL(`${root}public`).href, ...permissions, '--seal', seal]);
console.log('Preview it: npm run preview');
