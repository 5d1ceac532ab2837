// The content for unknown paths, in the 404 page and on the client.
import { notFound } from '#content/pages/not-found.ts';
import { frame } from '#content/pages/frame.ts';
import { PageLink } from './PageLink.tsx';
import { Receipt } from './Receipt.tsx';
import button from './button.module.css';
import styles from './NotFound.module.css';

/** Heading, links to the home page and to the features, and an empty receipt. */
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
        <nav aria-label={frame.features} className={styles.features}>
          <p>{notFound.features}</p>
          <ul>
            {frame.featureLinks.map(({ href, label }) => (
              <li key={href}>
                <PageLink to={href}>{label}</PageLink>
              </li>
            ))}
          </ul>
        </nav>
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
