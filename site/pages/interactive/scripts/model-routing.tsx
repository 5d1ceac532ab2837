// The script of /model-routing.
import { RoutingExample } from '#components/RoutingExample.tsx';
import { example } from '#content/features/model-routing/example.ts';
import { hydrate } from '../hydrate.tsx';

void hydrate({ example: <RoutingExample content={example} /> });
