// How the service is put to use: three steps beside the one line that changes, and the way that each request then takes.
import type { HowContent } from '#content/types.ts';
import { CodeChange } from './CodeChange.tsx';
import { RequestWay } from './RequestWay.tsx';
import { Steps } from './Steps.tsx';
import styles from './How.module.css';

/** Steps, code, and the way of a request. */
export function How({ how }: { readonly how: HowContent }) {
  return (
    <>
      <div className={styles.how}>
        <Steps steps={how.steps} stacked />
        <CodeChange code={how.code} />
      </div>
      <RequestWay way={how.way} />
    </>
  );
}
