// The brand: a receipt with one struck line, and the name.
import { frame } from '#content/pages/frame.ts';
import { settings } from '#content/settings.ts';
import { PageLink } from './PageLink.tsx';
import styles from './Logo.module.css';

/** A link home. */
export function Logo() {
  return (
    <PageLink to="/" className={styles.logo} label={frame.homeLabel}>
      <svg viewBox="0 0 24 28" width="24" height="28" aria-hidden="true">
        <path className={styles.sheet} d="M2 1h20v24.5l-3.33-2.5-3.34 2.5L12 23l-3.33 2.5L5.33 23 2 25.5z" />
        <path className={styles.lines} d="M6.5 7h11M6.5 17h7" />
        <path className={styles.strike} d="M4 13.4c5-2.2 10 1 16-1.6" />
      </svg>
      <span>{settings.name}</span>
    </PageLink>
  );
}
