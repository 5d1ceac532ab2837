#!/usr/bin/env node
// `sitegate`, as npm installs it: runs the program of this machine, and ends as it ends.
import { start } from './program.js';

/** What a terminal sends to every program in the foreground, so to the child too; others send it to this one alone. */
const isFromTerminal = (signal) => process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT');

try {
  const { child, ended } = start(process.argv.slice(2), { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  const pass = (signal) => {
    if (!isFromTerminal(signal)) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, pass);
  const { code, signal } = await ended;
  for (const signal of signals) process.off(signal, pass);
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
} catch (error) {
  console.error(`sitegate: ${error.message}`);
  process.exitCode = 2;
}
