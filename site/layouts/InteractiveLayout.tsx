// The frame of hydrated pages: skip link, header, main and footer stay while the page changes.
import type { ReactNode } from 'react';
import { DemoBar } from '#components/DemoBar.tsx';
import { Footer } from '#components/Footer.tsx';
import { Header } from '#components/Header.tsx';
import { mainId, SkipLink } from '#components/SkipLink.tsx';

/** React does not hydrate inside of an element with raw HTML, so the content stays unchanged. */
const kept = { dangerouslySetInnerHTML: { __html: '' }, suppressHydrationWarning: true };

const frame = { id: mainId, tabIndex: -1 };

/** The frame of all interactive pages. Without children, main keeps the content of the document. */
export function InteractiveLayout({ children }: { readonly children?: ReactNode }) {
  const main =
    children === undefined ? (
      <main {...frame} {...kept} />
    ) : (
      <main {...frame}>
        {children}
        <DemoBar />
      </main>
    );
  return (
    <>
      <SkipLink />
      <Header />
      {main}
      <Footer />
    </>
  );
}
