// The frame of interactive pages: skip link, header, main and footer.
import type { ReactNode } from 'react';
import { Footer } from '#components/Footer.tsx';
import { Island } from '#components/Island.tsx';
import { mainId, SkipLink } from '#components/SkipLink.tsx';
import { frameIslands } from './frame-islands.tsx';

/** The frame of all interactive pages. */
export function InteractiveLayout({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <Island name="header">{frameIslands.header}</Island>
      <main id={mainId} tabIndex={-1}>
        {children}
        <Island name="demo-bar">{frameIslands['demo-bar']}</Island>
      </main>
      <Footer />
    </>
  );
}
