// The script of /smart-caching.
import { CacheExample } from '#components/CacheExample.tsx';
import { example } from '#content/features/smart-caching/example.ts';
import { hydrate } from '../hydrate.tsx';

void hydrate({ example: <CacheExample content={example} /> });
