// The button for the address of the visitor's own bill: phones share it, other devices copy it.
import { useState } from 'react';
import type { Estimate } from '#content/estimate.ts';
import type { OwnBillContent } from '#content/interactive-types.ts';
import { useCopy } from './CopyButton.tsx';
import { useOwnBill, writeAddress } from './own-bill-state.ts';
import own from './OwnBill.module.css';
import styles from './ShareButton.module.css';

/** Whether the device has a sheet for sharing, as phones do. */
const shares = (): boolean => 'share' in navigator && window.matchMedia('(pointer: coarse)').matches;

/** Copies the address, and says so. If the browser refuses, the address of the page is the one to copy. */
export function ShareButton({ content }: { readonly content: OwnBillContent['copy'] }) {
  const { estimate } = useOwnBill();
  const [copied, setCopied] = useState<Estimate>();
  const [result, copy] = useCopy(content);
  const send = async () => {
    writeAddress(estimate);
    const url = window.location.href;
    if (shares()) {
      // Rejected if the visitor closes the sheet.
      await navigator.share({ title: document.title, url }).catch(() => undefined);
      return;
    }
    setCopied(estimate);
    await copy(url);
  };
  return (
    <div data-scripted="" className={own.controls}>
      <button type="button" aria-live="polite" onClick={() => void send()}>
        {copied === estimate && result !== undefined ? (
          result
        ) : (
          <>
            <span className={styles.copies}>{content.label}</span>
            <span className={styles.shares}>{content.share}</span>
          </>
        )}
      </button>
    </div>
  );
}
