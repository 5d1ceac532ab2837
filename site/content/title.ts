// Titles as browsers and search results show them.
import { notFound } from './pages/not-found.ts';
import type { Route } from './routes.ts';
import { settings } from './settings.ts';

/** The subject of the page and the brand; without a route, the title of the 404 page. */
export function titleOf(route: Route | undefined): string {
  return `${route?.title ?? notFound.title} · ${settings.name}`;
}
