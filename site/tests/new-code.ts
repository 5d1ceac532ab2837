// The code that visitors copy.
import { linesIn } from '#content/pages/code-samples.ts';

/** Returns the new code of a diff. */
export const newCode = (diff: string): string =>
  linesIn(diff)
    .filter(({ mark }) => mark !== '-')
    .map(({ text }) => `${text}\n`)
    .join('');
