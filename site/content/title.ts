// Titles as browsers and search results show them.
import { notFound } from './pages/not-found.ts';
import type { Route } from './routes.ts';
import { settings } from './settings.ts';

/** What the page is about and the brand; without a route, the title of the page for unknown paths. */
export function titleOf(route: Route | undefined): string {
  return `${route?.title ?? notFound.title} · ${settings.name}`;
}
