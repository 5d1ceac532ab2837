// The words around the legal texts; the texts themselves are terms.md and privacy.md.

/** Frame of a legal page. */
export const legal = {
  back: 'Back to Home',
  updated: 'Last updated',
  contents: 'On this page',
  close: 'Close',
  end: { anchor: 'end-of-terms', text: 'End of Terms' },
} as const;
