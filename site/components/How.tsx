// How the service works: three steps, the changed line of code, and requests to send.
import type { ReactNode } from 'react';
import type { HowContent } from '#content/types.ts';
import { CodeChange } from './CodeChange.tsx';
import { RequestDesk } from './RequestDesk.tsx';
import { Steps } from './Steps.tsx';
import styles from './How.module.css';

/** Steps, code, and requests. */
export function How({ how, codeTabs }: { readonly how: HowContent; readonly codeTabs: ReactNode }) {
  return (
    <>
      <div className={styles.how}>
        <Steps steps={how.steps} stacked />
        <CodeChange code={how.code} tabList={codeTabs} />
      </div>
      <RequestDesk desk={how.desk} />
    </>
  );
}
