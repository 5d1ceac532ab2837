// Speculation rules: browsers with support load the page of a link when the visitor points at it.

/** Links to another page, but not to a place of this one. */
export const speculationRules = JSON.stringify({
  prerender: [{ where: { and: [{ href_matches: '/*' }, { not: { selector_matches: '[href*="#"], [aria-current]' } }] }, eagerness: 'moderate' }],
});
