#!/usr/bin/env node
// The command `sitegate` of the npm package: runs the binary for this machine and exits with its exit code or signal.
import { start } from './program.js';

/** @type {NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * Whether a signal comes from the terminal, which also sends it to the child process. Other signals reach only this process.
 *
 * @param {NodeJS.Signals} signal
 */
const isFromTerminal = (signal) => process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT');

/** @type {import('node:child_process').ChildProcess | undefined} */
let child;
/** @param {NodeJS.Signals} signal */
const forward = (signal) => {
  if (!isFromTerminal(signal)) child?.kill(signal);
};

try {
  for (const signal of signals) process.on(signal, forward); // before the start, so that no signal is lost
  const started = start(process.argv.slice(2), { stdio: 'inherit' });
  ({ child } = started);
  const ended = await started.ended;
  for (const signal of signals) process.off(signal, forward);
  if (ended.signal === null) process.exitCode = ended.code ?? undefined;
  else process.kill(process.pid, ended.signal);
} catch (error) {
  console.error(`sitegate: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
