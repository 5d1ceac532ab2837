// The frame of the pages React takes over: skip link, header, main and footer stay while the page between them changes.
import { useState, type ReactNode } from 'react';
import { Footer } from '#components/Footer.tsx';
import { Header } from '#components/Header.tsx';
import { mainId, SkipLink } from '#components/SkipLink.tsx';

/** While the phone menu covers the page, what lies under it cannot be reached. */
export function InteractiveLayout({ children }: { readonly children: ReactNode }) {
  const [covered, setCovered] = useState(false);
  return (
    <>
      <SkipLink />
      <Header onPhoneMenu={setCovered} />
      <main id={mainId} tabIndex={-1} inert={covered}>
        {children}
      </main>
      <div inert={covered}>
        <Footer />
      </div>
    </>
  );
}
