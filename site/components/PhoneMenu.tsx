// The menu of small screens: a popover, so that its buttons and Escape work before hydration.
import { useCallback, useEffect, useRef, useState, type FocusEvent } from 'react';
import { shell } from '#content/pages/shell.ts';
import { DemoLink } from './DemoLink.tsx';
import { Logo } from './Logo.tsx';
import { PageLink } from './PageLink.tsx';
import styles from './PhoneMenu.module.css';

/** The id of the menu, for its buttons. */
export const phoneMenuId = 'phone-menu';

/** The same items as the wide header. React adds a scroll lock, and closes the menu on choice and when focus leaves. */
export function PhoneMenu() {
  const [managed, setManaged] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const close = useCallback(() => panel.current?.hidePopover(), []);

  useEffect(() => {
    setManaged(true);
    // Opening the menu focuses Close. Not in the HTML: browsers would log that an address with a fragment prevents it.
    panel.current?.querySelector('button')?.setAttribute('autofocus', '');
    const wide = window.matchMedia('(min-width: 60em)');
    wide.addEventListener('change', close);
    return () => wide.removeEventListener('change', close);
  }, [close]);

  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) close();
  };

  return (
    <>
      <button type="button" className={styles.toggle} popoverTarget={phoneMenuId}>
        {shell.menu}
        <svg viewBox="0 0 20 14" width="20" height="14" aria-hidden="true">
          <path d="M0 2h20M0 12h20" />
        </svg>
      </button>
      <div ref={panel} id={phoneMenuId} popover="auto" className={styles.panel} data-phone-menu={managed ? 'managed' : ''} onBlur={onBlur}>
        <div className={styles.head}>
          <Logo onChoose={close} />
          <button type="button" className={styles.toggle} popoverTarget={phoneMenuId} popoverTargetAction="hide">
            {shell.close}
            <svg viewBox="0 0 20 14" width="20" height="14" aria-hidden="true">
              <path d="M4 1l12 12M16 1L4 13" />
            </svg>
          </button>
        </div>
        <nav className={styles.items} aria-label={shell.phoneNav}>
          <p className={styles.group}>{shell.features}</p>
          {[shell.featureLinks, shell.anchors].map((links) => (
            <ul key={links[0]?.href} className={styles.list}>
              {links.map((link) => (
                <li key={link.href}>
                  <PageLink to={link.href} onChoose={close}>
                    {link.label}
                  </PageLink>
                </li>
              ))}
            </ul>
          ))}
          <DemoLink>{shell.demo}</DemoLink>
        </nav>
      </div>
    </>
  );
}
