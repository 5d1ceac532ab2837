// Builds the command line of a check and its standard input.
import { toml } from './toml.js';

/**
 * @param {string | undefined} folder
 * @param {import('./index.d.ts').CheckOptions} options
 */
export function commandLine(folder, { contract, external = false, seal }) {
  const args = [];
  if (contract === false) args.push('--no-config');
  else if (contract !== undefined) args.push('--config', typeof contract === 'string' ? contract : '-');
  if (external) args.push('--external');
  if (seal !== undefined) args.push('--seal', seal);
  if (folder !== undefined) args.push('--', folder);
  return { args, input: typeof contract === 'object' ? toml(contract) : undefined };
}
