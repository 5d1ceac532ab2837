// The tabs of the sample code, in the order of the samples.

/** Ids, languages, and the button that copies. */
export const codeTabs = {
  name: 'code',
  labels: ['Python', 'JavaScript', 'curl'],
  copy: { label: 'Copy', done: 'Copied', failed: 'Select and copy' },
} as const;
