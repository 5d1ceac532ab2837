// The Features menu: a popover with hover by CSS. After hydration, React adds arrow keys and a close delay of closeDelay.
import { shell } from '#content/pages/shell.ts';
import { PageLink } from './PageLink.tsx';
import { useFeaturesMenu } from './useFeaturesMenu.ts';
import header from './Header.module.css';
import styles from './FeaturesMenu.module.css';

const panelId = 'features-menu';
const closeDelay = Number.parseFloat(styles['closeDelay'] ?? '');

/** A disclosure button and the list of the four feature pages. */
export function FeaturesMenu() {
  const { open, root, button, panel, events, onBeforeToggle, close } = useFeaturesMenu(closeDelay);
  return (
    <div ref={root} className={styles.menu} data-menu={open === undefined ? undefined : open ? 'open' : 'closed'} {...events}>
      <button ref={button} type="button" className={`${header.link} ${styles.button}`} popoverTarget={panelId} aria-expanded={open} aria-controls={panelId}>
        {shell.features}
        <svg className={styles.chevron} viewBox="0 0 10 6" width="10" height="6" aria-hidden="true">
          <path d="M1 1l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.6" />
        </svg>
      </button>
      <div ref={panel} id={panelId} popover="auto" className={styles.panel} onBeforeToggle={onBeforeToggle}>
        <ul className={`wrap ${styles.list}`}>
          {shell.featureLinks.map((link) => (
            <li key={link.href}>
              <PageLink to={link.href} className={styles.item} onChoose={close}>
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
