// Makes the sites that are asked for (all, where none is), checks each without a contract and with the one that `init` writes.
//
//   scripts/test-real-sites [site…] [--list] [--fresh] [--only-make]
import { parseArgs } from 'node:util';
import { exported, make } from './make.mjs';
import { known, recipe } from './recipes.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    'only-make': { type: 'boolean', default: false },
  },
});
let failed = 0;
for (const one of (positionals.length > 0 ? positionals : known()).map(recipe)) {
  if (flags.list) {
    console.log(`${one.site}: ${one.generator}`);
    continue;
  }
  try {
    const start = performance.now();
    if (make(one, flags.fresh)) console.log(`${one.site}: made in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  } catch (error) {
    failed += 1;
    console.log(`${one.site}: cannot be made: ${error.message}`);
  }
}
process.exitCode = failed > 0 ? 1 : 0;
