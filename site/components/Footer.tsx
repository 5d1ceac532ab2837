// The footer of every page: three columns, the note about sample content, and the copyright line.
import { frame } from '#content/pages/frame.ts';
import { DemoLink } from './DemoLink.tsx';
import { Logo } from './Logo.tsx';
import { PageLink } from './PageLink.tsx';
import styles from './Footer.module.css';

/** The site's footer. */
export function Footer() {
  const { footer } = frame;
  return (
    <footer className={styles.footer}>
      <div className={`wrap ${styles.grid}`}>
        <div className={styles.brand}>
          <Logo />
          <p>{footer.line}</p>
        </div>
        <nav className={styles.columns} aria-label={footer.nav}>
          <div>
            <h2>{footer.product.title}</h2>
            <ul>
              {footer.product.links.map((link) => (
                <li key={link.href}>
                  <PageLink to={link.href}>{link.label}</PageLink>
                </li>
              ))}
              <li>
                <DemoLink look="text">{footer.product.demo}</DemoLink>
              </li>
            </ul>
          </div>
          <div>
            <h2>{footer.company.title}</h2>
            <ul>
              <li>
                <DemoLink look="text">{footer.company.demo}</DemoLink>
              </li>
            </ul>
          </div>
          <div>
            <h2>{footer.legal.title}</h2>
            <ul>
              {footer.legal.links.map((link) => (
                <li key={link.href}>
                  <PageLink to={link.href}>{link.label}</PageLink>
                </li>
              ))}
            </ul>
          </div>
        </nav>
        <div className={styles.small}>
          <p>{footer.samples}</p>
          <p>{footer.copyright}</p>
        </div>
      </div>
    </footer>
  );
}
