// The header of interactive pages: brand, Features menu, anchors, demo button, and the phone menu on small screens.
import { shell } from '#content/pages/shell.ts';
import { DemoLink } from './DemoLink.tsx';
import { FeaturesMenu } from './FeaturesMenu.tsx';
import { Logo } from './Logo.tsx';
import { PageLink } from './PageLink.tsx';
import { PhoneMenu } from './PhoneMenu.tsx';
import styles from './Header.module.css';

/** The same items for wide and small screens. */
export function Header() {
  return (
    <header className={styles.header}>
      <div className={`wrap ${styles.row}`}>
        <Logo />
        <nav className={styles.wide} aria-label={shell.mainNav}>
          <FeaturesMenu />
          {shell.anchors.map((anchor) => (
            <PageLink key={anchor.href} to={anchor.href} className={styles.link}>
              {anchor.label}
            </PageLink>
          ))}
          <DemoLink look="small">{shell.demo}</DemoLink>
        </nav>
        <PhoneMenu />
      </div>
    </header>
  );
}
