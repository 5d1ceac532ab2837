// The header of interactive pages: brand, Features menu, anchors, demo button, and the phone menu on small screens.
import { frame } from '#content/pages/frame.ts';
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
        <nav className={styles.wide} aria-label={frame.mainNav}>
          <FeaturesMenu />
          {frame.anchors.map((anchor) => (
            <PageLink key={anchor.href} to={anchor.href} className={styles.link}>
              {anchor.label}
            </PageLink>
          ))}
          <DemoLink look="small">{frame.demo}</DemoLink>
        </nav>
        <PhoneMenu />
      </div>
    </header>
  );
}
