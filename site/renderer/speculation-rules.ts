// Speculation rules: browsers with support load the page of a link when the visitor points at it.

/** Links to another page of the site, but not to a place of this one. Only links to other sites have a target. */
export const speculationRules = JSON.stringify({
  prerender: [{ where: { not: { selector_matches: "[href*='#'],[aria-current],[target]" } }, eagerness: 'moderate' }],
});
