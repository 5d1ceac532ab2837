// The frame of the pages React takes over: skip link, header, main and footer stay while the page between them changes.
import type { ReactNode } from 'react';
import { DemoBar } from '#components/DemoBar.tsx';
import { Footer } from '#components/Footer.tsx';
import { Header } from '#components/Header.tsx';
import { mainId, SkipLink } from '#components/SkipLink.tsx';

/** React looks at nothing inside an element whose HTML it is given, so hydration leaves what stands there as it is. */
const kept = { dangerouslySetInnerHTML: { __html: '' }, suppressHydrationWarning: true };

const frame = { id: mainId, tabIndex: -1 };

/** One frame for all interactive pages. Without children, main keeps what the document brought. */
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
