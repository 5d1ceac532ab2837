// The frame of plain documents: brand, link home, main and footer, without JavaScript.
import type { ReactNode } from 'react';
import { Arrow } from '#components/Arrow.tsx';
import { Footer } from '#components/Footer.tsx';
import { Logo } from '#components/Logo.tsx';
import { PageLink } from '#components/PageLink.tsx';
import { mainId, SkipLink } from '#components/SkipLink.tsx';
import styles from './DocumentLayout.module.css';

/** `back` is the text of the link home. Without it, there is only the brand. */
export function DocumentLayout({ children, back }: { readonly children: ReactNode; readonly back?: string }) {
  return (
    <>
      <SkipLink />
      <header className={styles.header}>
        <div className={`wrap ${styles.row}`}>
          <Logo />
          {back !== undefined && (
            <PageLink to="/" className={styles.back}>
              <Arrow back />
              {back}
            </PageLink>
          )}
        </div>
      </header>
      <main id={mainId} tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </>
  );
}
