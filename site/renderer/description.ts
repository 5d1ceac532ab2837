// Reads the description of a page from the route table, or from the front matter of a legal text.
import { privacy, terms } from '#content/legal-texts.ts';
import type { Route } from '#content/routes.ts';

/** Returns the description of a page. */
export function descriptionOf(route: Route): string {
  if (route.description !== undefined) return route.description;
  return route.path === '/terms' ? terms.description : privacy.description;
}
