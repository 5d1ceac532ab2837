// Speculation rules: browsers with support load the page of a link when the visitor points at it.
import { routes } from '#content/routes.ts';

/** Returns the rules of the page at a path: all other pages, by their URLs. Patterns and selectors cost more CPU time at load. */
export const speculationRulesOf = (path: string): string =>
  JSON.stringify({ prerender: [{ urls: routes.map((route) => route.path).filter((other) => other !== path), eagerness: 'moderate' }] });
