#!/usr/bin/env node
// `sitegate`, as npm installs it: runs the program of this machine, and ends as it ends.
import { start } from './program.js';

/** @type {NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * What a terminal sends to every program in the foreground, so to the child too; others send it to this one alone.
 *
 * @param {NodeJS.Signals} signal
 */
const isFromTerminal = (signal) => process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT');

/** @type {import('node:child_process').ChildProcess | undefined} */
let child;
/** @param {NodeJS.Signals} signal */
const pass = (signal) => {
  if (!isFromTerminal(signal)) child?.kill(signal);
};

try {
  for (const signal of signals) process.on(signal, pass); // first, so that none is lost
  const started = start(process.argv.slice(2), { stdio: 'inherit' });
  ({ child } = started);
  const ended = await started.ended;
  for (const signal of signals) process.off(signal, pass);
  if (ended.signal === null) process.exitCode = ended.code ?? undefined;
  else process.kill(process.pid, ended.signal);
} catch (error) {
  console.error(`sitegate: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
