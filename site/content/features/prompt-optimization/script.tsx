// The script of the page.
import { PromptExample } from '#components/PromptExample.tsx';
import { hydrate } from '#pages/interactive/hydrate.tsx';
import { example } from './example.ts';

void hydrate({ example: <PromptExample content={example} /> });
