// A button that copies a text, and reports the result in its label.
import { useState } from 'react';
import type { CopyWords } from '#content/interactive-types.ts';

/** Copies a text, and returns the result in words. */
export const copyText = (text: string, { done, failed }: CopyWords): Promise<string> =>
  navigator.clipboard.writeText(text).then(
    () => done,
    () => failed,
  );

/** `of` names the text for screen readers. */
export function CopyButton({ text, of, words }: { readonly text: () => string; readonly of: string; readonly words: CopyWords }) {
  const [label, setLabel] = useState(words.label);
  return (
    <button type="button" aria-live="polite" onClick={() => void copyText(text(), words).then(setLabel)}>
      {label}
      <span className="visually-hidden">: {of}</span>
    </button>
  );
}
