// Names and size of the share images of pages.
import type { Route } from '../content/routes.ts';

/** One image per page of the route table. */
export const shareImage = {
  width: 1200,
  height: 630,
  /** Path of a page's image. */
  pathOf: ({ path }: Route): string => `/share/${path === '/' ? 'home' : path.slice(1)}.png`,
} as const;
