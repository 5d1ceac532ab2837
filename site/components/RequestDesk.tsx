// Sample requests to send: each opens its way through the service, and what it cost. Without a script, keys can close the open one.
import type { RequestDeskContent, SampleRequest } from '#content/interactive-types.ts';
import { Circled } from './Circled.tsx';
import { Receipt } from './Receipt.tsx';
import { Struck } from './Strike.tsx';
import { Words } from './Words.tsx';
import styles from './RequestDesk.module.css';

interface WayProps {
  readonly request: SampleRequest;
  /** The names of the stops. */
  readonly stops: readonly string[];
  readonly cost: string;
}

/** The stops of a request, and a slip with its cost. */
function Way({ request, stops, cost }: WayProps) {
  return (
    <div className={styles.way}>
      <ol className={styles.stops}>
        {request.stops.map(({ state, text }, index) => (
          <li key={stops[index]} className={styles[state]}>
            <strong>{stops[index]}</strong> <span>{text}</span>
          </li>
        ))}
      </ol>
      <Receipt className={styles.slip}>
        <p className={styles.cost}>
          <span>{cost}</span>{' '}
          {request.was === undefined ? (
            <strong className={styles.full}>{request.now}</strong>
          ) : (
            <span className={styles.prices}>
              <Struck>{request.was}</Struck> <Circled className={styles.now}>{request.now}</Circled>
            </span>
          )}
        </p>
        <p className={styles.why}><Words>{request.why}</Words></p>
      </Receipt>
    </div>
  );
}

/** Requests on the left, of which one is open, with its way on the right; on phones, each opens in place. */
export function RequestDesk({ desk }: { readonly desk: RequestDeskContent }) {
  return (
    <div className={styles.desk}>
      <h3 className={styles.title}>{desk.title}</h3>
      <p className={styles.text}>{desk.text}</p>
      <div className={styles.requests}>
        {desk.requests.map((request, index) => (
          <details key={request.text} name="request" open={index === 0}>
            <summary>{request.text}</summary>
            <Way request={request} stops={desk.stops} cost={desk.cost} />
          </details>
        ))}
      </div>
      <p className={styles.note}>{desk.note}</p>
    </div>
  );
}
