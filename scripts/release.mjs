// Makes a release: builds the export and the gate, checks and seals the export, and publishes it to ./public. If that fails, the
// last line says what visitors still have.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { buildSiteAndGate, permissions, root, run, sitegate } from './run.mjs';

const records = `${root}.sitegate`;
const seal = `${records}/seal.json`;
const target = pathToFileURL(`${root}public`).href;

// `run` exits at the first failure. `publish` itself says what its visitors have.
let isPublishing = false;
/** @type {string | undefined} */
let program;
process.on('exit', (code) => {
  if (code !== 0 && !isPublishing) console.error(`nothing was published; ${stillLive()}`);
});

/** Returns what visitors still have. */
function stillLive() {
  if (!existsSync(`${root}public`)) return './public does not exist yet';
  // The gate may never have been built.
  if (program === undefined || !existsSync(program)) return './public is unchanged';
  const { status, stdout } = spawnSync(program, ['target', 'status', target, '--format', 'json'], { encoding: 'utf8' });
  if (status !== 0) return './public is unchanged';
  const { live } = JSON.parse(stdout);
  if (typeof live !== 'string') return './public has no release yet';
  // The name of a release begins with its time in UTC.
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)/.exec(live) ?? [];
  const date = `${year}-${month}-${day}`;
  const today = new Date().toISOString().startsWith(date) ? '' : `${date} `;
  return `./public still has the release of ${hour === undefined ? live : `${today}${hour}:${minute} UTC`}`;
}

program = sitegate('quick');
const gate = await buildSiteAndGate();
mkdirSync(records, { recursive: true });
run(gate, ['check', ...permissions, '--seal', seal]);
isPublishing = true;
run(gate, ['publish', target, ...permissions, '--seal', seal]);
console.log('Preview it: npm run preview');
