// The content for unknown paths, in the 404 page and on the client.
import { notFound } from '#content/pages/not-found.ts';
import { PageLink } from './PageLink.tsx';
import { Receipt } from './Receipt.tsx';
import button from './button.module.css';
import styles from './NotFound.module.css';

/** Heading, link home, and an empty receipt. */
export function NotFound() {
  const { receipt } = notFound;
  return (
    <div className={`wrap ${styles.notFound}`}>
      <div className={styles.words}>
        <h1>{notFound.heading}</h1>
        <p>{notFound.text}</p>
        <PageLink to="/" className={`${button.button} ${button.solid}`}>
          {notFound.home}
        </PageLink>
      </div>
      <Receipt className={styles.receipt}>
        <div className={styles.slip}>
          <p>{receipt.title}</p>
          <p>
            <span>{receipt.item}</span> <span>{receipt.amount}</span>
          </p>
          <p>
            <span>{receipt.totalLabel}</span> <span>{receipt.total}</span>
          </p>
        </div>
      </Receipt>
    </div>
  );
}
