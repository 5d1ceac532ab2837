// Titles as browsers and search results show them.
import { notFound } from './pages/not-found.ts';
import type { Route } from './routes.ts';
import { brand } from './settings.ts';

/** A subject and the brand. */
export const branded = (subject: string): string => `${subject} · ${brand}`;

/** The subject of the page and the brand; without a route, the title of the 404 page. */
export const titleOf = (route: Route | undefined): string => branded(route?.title ?? notFound.title);
