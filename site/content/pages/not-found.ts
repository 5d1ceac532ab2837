// The words of the page for an unknown path.

/** Title, heading, explanation and way home; `logged` opens the line in the console. */
export const notFound = {
  title: 'Page not found',
  description: 'There is no page at this address.',
  heading: 'Oops! Page not found',
  text: 'There is no page at this address. It may have moved, or the link may be misspelled.',
  home: 'Return to Home',
  features: 'Or go to a feature:',
  receipt: { title: 'Receipt 404', item: 'The page you asked for', amount: 'not found', totalLabel: 'You owe', total: '$0.00' },
} as const;
