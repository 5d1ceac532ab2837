// The script of the page.
import { CacheExample } from '#components/CacheExample.tsx';
import { hydrate } from '#pages/interactive/hydrate.tsx';
import { example } from './example.ts';

void hydrate({ example: <CacheExample content={example} /> });
