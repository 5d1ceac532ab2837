// Where a page's description stands: in the route table, or in the front matter of a legal text.
import { privacy, terms } from '#content/legal-texts.ts';
import type { Route } from '#content/routes.ts';

/** The description of a page. */
export function descriptionOf(route: Route): string {
  if (route.description !== undefined) return route.description;
  return route.path === '/terms' ? terms.description : privacy.description;
}
