// The frame of the pages React takes over: skip link, header, main and footer stay while the page between them changes.
import type { ReactNode } from 'react';
import { DemoBar } from '#components/DemoBar.tsx';
import { Footer } from '#components/Footer.tsx';
import { Header } from '#components/Header.tsx';
import { mainId, SkipLink } from '#components/SkipLink.tsx';

/** One frame for all interactive pages. */
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
