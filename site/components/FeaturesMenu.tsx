// The Features menu: a popover with hover by CSS. pages/interactive/features-menu.ts adds arrow keys and a close delay.
import { frame } from '#content/pages/frame.ts';
import { featuresMenuId } from './menu-ids.ts';
import { PageLink } from './PageLink.tsx';
import header from './Header.module.css';
import styles from './FeaturesMenu.module.css';

/** A disclosure button and the list of the four feature pages. */
export function FeaturesMenu() {
  return (
    <div className={styles.menu}>
      <button type="button" className={`${header.link} ${styles.button}`} popoverTarget={featuresMenuId} aria-controls={featuresMenuId}>
        {frame.features}
        <svg className={styles.chevron} viewBox="0 0 10 6" width="10" height="6" aria-hidden="true">
          <path d="M1 1l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.6" />
        </svg>
      </button>
      <div id={featuresMenuId} popover="auto" className={styles.panel}>
        <ul className={`wrap ${styles.list}`}>
          {frame.featureLinks.map((link) => (
            <li key={link.href}>
              <PageLink to={link.href} className={styles.item}>
                <span className={styles.name}>{link.label}</span>
                <span className={styles.text}>{link.text}</span>
              </PageLink>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
