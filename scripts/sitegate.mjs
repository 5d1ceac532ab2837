// Builds the program, not optimized and without the network, and runs it in the folder that npm was called in.
//
//   npm run --silent sitegate -- check ../your-site/dist --no-config
import { spawnSync } from 'node:child_process';
import { buildGate } from './run.mjs';

const { status, error } = spawnSync(buildGate(['--quiet']), process.argv.slice(2), { cwd: process.env.INIT_CWD, stdio: 'inherit' });
if (error) throw error;
process.exitCode = status ?? 1;
