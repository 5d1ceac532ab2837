// The frame of interactive pages: skip link, header, main and footer.
import type { ReactNode } from 'react';
import { DemoBar } from '#components/DemoBar.tsx';
import { Footer } from '#components/Footer.tsx';
import { Header } from '#components/Header.tsx';
import { mainId, SkipLink } from '#components/SkipLink.tsx';

/** The frame of all interactive pages. */
export function InteractiveLayout({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <Header />
      <main id={mainId} tabIndex={-1}>
        {children}
        <DemoBar />
      </main>
      <Footer />
    </>
  );
}
