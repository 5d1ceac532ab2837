// How the service works: three steps, the changed line of code, and the path of a request.
import type { HowContent } from '#content/types.ts';
import { CodeChange } from './CodeChange.tsx';
import { RequestWay } from './RequestWay.tsx';
import { Steps } from './Steps.tsx';
import styles from './How.module.css';

/** Steps, code, and the path of a request. */
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
