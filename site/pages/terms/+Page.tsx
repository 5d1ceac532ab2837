// Terms of Use, as a plain document.

// The first import, because it sets the order of the layers.
import '#styles/site.css';
import { terms } from '#content/legal-texts.ts';
import { legal } from '#content/pages/legal.ts';
import { LegalLayout } from '#layouts/LegalLayout.tsx';

/** The page. */
export function Page() {
  return <LegalLayout text={terms} end={legal.end} />;
}
