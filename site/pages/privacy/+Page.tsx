// Privacy Policy, as a plain document.

// The first import, because it sets the order of the layers.
import '#styles/site.css';
import { privacy } from '#content/legal-texts.ts';
import { LegalLayout } from '#layouts/LegalLayout.tsx';

/** The page. */
export function Page() {
  return <LegalLayout text={privacy} />;
}
