// Builds the command line of a check and its standard input.
import { toml } from './toml.js';

/**
 * @param {string | undefined} folder
 * @param {import('./index.d.ts').CheckOptions} options
 * @param {string} label - The name of the option `contract` in errors.
 */
export function commandLine(folder, { contract, baseline, allowEnv = [], external = false, seal, reports = {}, args: more = [] }, label) {
  const args = [];
  if (contract === false) args.push('--no-config');
  else if (contract !== undefined) args.push('--config', typeof contract === 'string' ? contract : '-');
  if (typeof contract === 'object') args.push('--config-name', label);
  args.push(...allowEnv.flatMap((name) => ['--allow-env', name]));
  if (external) args.push('--external');
  if (baseline !== undefined) args.push('--baseline', baseline);
  if (seal !== undefined) args.push('--seal', seal);
  for (const [format, file] of Object.entries(reports)) args.push('--report', `${format}=${file}`);
  args.push(...more);
  if (folder !== undefined) args.push('--', folder);
  return { args, input: typeof contract === 'object' ? toml(contract) : undefined };
}
