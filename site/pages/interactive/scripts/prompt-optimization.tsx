// The script of /prompt-optimization.
import { PromptExample } from '#components/PromptExample.tsx';
import { example } from '#content/features/prompt-optimization/example.ts';
import { hydrate } from '../hydrate.tsx';

void hydrate({ example: <PromptExample content={example} /> });
