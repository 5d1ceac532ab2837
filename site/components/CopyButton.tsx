// A button that copies a text, and reports the result in its label.
import { useState } from 'react';
import type { CopyWords } from '#content/interactive-types.ts';

/** How long a button says that it copied. The next copy then has a result to show, too. */
const shown = 4000;

/** Returns the result of the last copy in words, and a function that copies a text. */
export function useCopy({ done, failed }: CopyWords): readonly [string | undefined, (text: string) => Promise<void>] {
  const [result, setResult] = useState<string>();
  const copy = (text: string) =>
    navigator.clipboard.writeText(text).then(
      () => {
        setResult(done);
        setTimeout(setResult, shown, undefined);
      },
      () => setResult(failed),
    );
  return [result, copy];
}

/** `of` names the text for screen readers. */
export function CopyButton({ text, of, words }: { readonly text: () => string; readonly of: string; readonly words: CopyWords }) {
  const [result, copy] = useCopy(words);
  return (
    <button type="button" aria-live="polite" onClick={() => void copy(text())}>
      {result ?? words.label}
      <span className="visually-hidden">: {of}</span>
    </button>
  );
}
