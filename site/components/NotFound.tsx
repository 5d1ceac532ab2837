// What is shown for an unknown path, in the export's 404 page and on the client alike.
import { notFound } from '#content/pages/not-found.ts';
import { PageLink } from './PageLink.tsx';
import { Receipt } from './Receipt.tsx';
import button from './button.module.css';
import styles from './NotFound.module.css';

/** Heading, the way home, and a receipt over nothing. */
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
