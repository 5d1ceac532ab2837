// The script of the page.
import { RoutingExample } from '#components/RoutingExample.tsx';
import { hydrate } from '#pages/interactive/hydrate.tsx';
import { example } from './example.ts';

void hydrate({ example: <RoutingExample content={example} /> });
