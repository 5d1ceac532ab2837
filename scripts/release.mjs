// Makes a release: builds the export and the checker, checks and seals, publishes to ./public.
import { pathToFileURL } from 'node:url';
import { root, run, sitegate } from './run.mjs';

const seal = `${root}.sitegate/seal.json`;

run(process.execPath, ['scripts/build.mjs']);
run('cargo', ['build', '--release', '--quiet']);
run(sitegate('release'), ['check', '--seal', seal]);
run(sitegate('release'), ['publish', pathToFileURL(`${root}public`).href, '--seal', seal]);
console.log('Look at it: npm run preview');
