// The menu of small screens: a details element that works alone, with Escape and closing on choice once React is there.
import { useCallback, useEffect, useRef, useState } from 'react';
import { shell } from '#content/pages/shell.ts';
import { DemoLink } from './DemoLink.tsx';
import { PageLink } from './PageLink.tsx';
import styles from './PhoneMenu.module.css';

/** The same items as the wide header. `onChange` hears whether the page is covered. */
export function PhoneMenu({ onChange }: { readonly onChange: (open: boolean) => void }) {
  const [managed, setManaged] = useState(false);
  const details = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  const close = useCallback(() => details.current?.removeAttribute('open'), []);

  useEffect(() => {
    setManaged(true);
    onChange(details.current?.open ?? false);
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !details.current?.open) return;
      details.current.open = false;
      summary.current?.focus();
    };
    const wide = window.matchMedia('(min-width: 60em)');
    document.addEventListener('keydown', onKey);
    wide.addEventListener('change', close);
    return () => {
      document.removeEventListener('keydown', onKey);
      wide.removeEventListener('change', close);
    };
  }, [onChange, close]);

  return (
    <details ref={details} className={styles.menu} data-phone-menu={managed ? 'managed' : ''} onToggle={(event) => onChange(event.currentTarget.open)}>
      <summary ref={summary} className={styles.toggle}>
        <span className={styles.whenClosed}>{shell.menu}</span>
        <span className={styles.whenOpen}>{shell.close}</span>
        <svg viewBox="0 0 20 14" width="20" height="14" aria-hidden="true">
          <path className={styles.whenClosed} d="M0 2h20M0 12h20" />
          <path className={styles.whenOpen} d="M4 1l12 12M16 1L4 13" />
        </svg>
      </summary>
      <nav className={styles.panel} aria-label={shell.phoneNav}>
        <p className={styles.group}>{shell.features}</p>
        <ul className={styles.list}>
          {shell.featureLinks.map((link) => (
            <li key={link.href}>
              <PageLink to={link.href} onChoose={close}>
                {link.label}
              </PageLink>
            </li>
          ))}
        </ul>
        <ul className={styles.list}>
          {shell.anchors.map((anchor) => (
            <li key={anchor.href}>
              <PageLink to={anchor.href} onChoose={close}>
                {anchor.label}
              </PageLink>
            </li>
          ))}
        </ul>
        <DemoLink>{shell.demo}</DemoLink>
      </nav>
    </details>
  );
}
