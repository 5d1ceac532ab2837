// The path of a request through prompt, cache and route, with the saving of each stop.
import { pathOf } from '#content/features.ts';
import type { HowContent } from '#content/types.ts';
import { PageLink } from './PageLink.tsx';
import { Instead, Struck } from './Strike.tsx';
import styles from './RequestWay.module.css';

/** Stops along a line. Each is a link to its page. */
export function RequestWay({ way }: { readonly way: HowContent['way'] }) {
  return (
    <div className={styles.way}>
      <h3 className={styles.title}>{way.title}</h3>
      <p className={styles.end}>{way.from}</p>
      <ol className={styles.stops}>
        {way.stops.map((stop) => (
          <li key={stop.title} className={styles.stop}>
            <h4>
              <PageLink to={pathOf(stop.feature)}>
                {stop.title}
                <span className="visually-hidden">: {stop.feature.label}</span>
              </PageLink>
            </h4>
            <p>{stop.text}</p>
            <p className={styles.values}>
              <Struck>{stop.was}</Struck> <Instead>{stop.now}</Instead>
            </p>
          </li>
        ))}
      </ol>
      <p className={styles.end}>{way.to}</p>
    </div>
  );
}
