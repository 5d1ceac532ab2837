// Runs the commands that make a site.
import { spawnSync } from 'node:child_process';

/** Environment variables against prompts and telemetry of generators and starters. */
const quiet = {
  CI: 'true',
  DO_NOT_TRACK: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  GATSBY_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  STORYBOOK_DISABLE_TELEMETRY: '1',
  npm_config_yes: 'true',
  npm_config_update_notifier: 'false',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
};

/**
 * Runs a command in a folder and returns its output. Prints the output if the command fails.
 *
 * @param {string[]} command
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 */
export function run([command = '', ...args], cwd, env = {}) {
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    // No standard input, because some starters prompt.
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20 * 60 * 1000,
    env: { ...process.env, ...quiet, ...env },
  });
  if (error) throw new Error(`${command} could not be run: ${error.message}`);
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${status ?? signal}\n${tail(stdout)}${tail(stderr)}`);
  return stdout;
}

/** @param {string} text */
const tail = (text) => text.split('\n').slice(-40).join('\n');
