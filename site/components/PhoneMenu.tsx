// The menu of small screens: a popover, so that its buttons and Escape work without a script.
import { frame } from '#content/pages/frame.ts';
import { DemoLink } from './DemoLink.tsx';
import { Logo } from './Logo.tsx';
import { phoneMenuId } from './menu-ids.ts';
import { PageLink } from './PageLink.tsx';
import styles from './PhoneMenu.module.css';

/** The same items as the wide header. pages/interactive/phone-menu.ts adds a scroll lock, and closes the menu. */
export function PhoneMenu() {
  return (
    <>
      <button type="button" className={styles.toggle} popoverTarget={phoneMenuId}>
        {frame.menu}
        <svg viewBox="0 0 20 14" width="20" height="14" aria-hidden="true">
          <path d="M0 2h20M0 12h20" />
        </svg>
      </button>
      <div id={phoneMenuId} popover="auto" className={styles.panel} data-phone-menu="">
        <div className={styles.head}>
          <Logo />
          <button type="button" className={styles.toggle} popoverTarget={phoneMenuId} popoverTargetAction="hide">
            {frame.close}
            <svg viewBox="0 0 20 14" width="20" height="14" aria-hidden="true">
              <path d="M4 1l12 12M16 1L4 13" />
            </svg>
          </button>
        </div>
        <nav className={styles.items} aria-label={frame.phoneNav}>
          <p className={styles.group}>{frame.features}</p>
          {[frame.featureLinks, frame.anchors].map((links) => (
            <ul key={links[0]?.href} className={styles.list}>
              {links.map((link) => (
                <li key={link.href}>
                  <PageLink to={link.href}>{link.label}</PageLink>
                </li>
              ))}
            </ul>
          ))}
          <DemoLink>{frame.demo}</DemoLink>
        </nav>
      </div>
    </>
  );
}
