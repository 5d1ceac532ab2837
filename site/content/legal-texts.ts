// The two legal texts, read once. Only documents import this, so that it never reaches a browser.
import { readLegalText, type LegalText } from './legal-text.ts';
import privacySource from './privacy.md?raw';
import { settings } from './settings.ts';
import termsSource from './terms.md?raw';

/** Terms of Use. */
export const terms: LegalText = readLegalText('terms.md', termsSource, settings);

/** Privacy Policy. */
export const privacy: LegalText = readLegalText('privacy.md', privacySource, settings);
