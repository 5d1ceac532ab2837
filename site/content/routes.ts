// The one route table: prerender list, menus, sitemap and page metadata all read it. It holds no settings, since vike
// reads it before they are there.
import { featureCards } from './feature-cards.ts';
import { features, pathOf } from './features.ts';
import { claims } from './figures.ts';

/** React hydrates the islands of interactive pages; documents never load it. */
export type RouteKind = 'interactive' | 'document';

/** A page of the site. */
export interface Route {
  readonly path: string;
  readonly kind: RouteKind;
  /** Short name, for menus and breadcrumbs. */
  readonly label: string;
  /** The subject of the page; the title element adds the brand. */
  readonly title: string;
  /** What search results show; a document says it in its own front matter. */
  readonly description?: string;
}

/** Every page but the 404, in the order the sitemap lists them. */
export const routes: readonly Route[] = [
  {
    path: '/',
    kind: 'interactive',
    label: 'Home',
    title: 'The same AI answers for a smaller bill',
    description: `Lower what you pay for large language model APIs: average savings of ${claims.savings.toLowerCase()}, about ${claims.setup} to set up, ${claims.loss} quality loss.`,
  },
  ...features.map((feature): Route => {
    const { title, description } = featureCards[feature.slug];
    return { path: pathOf(feature), kind: 'interactive', label: feature.label, title, description };
  }),
  {
    path: '/terms',
    kind: 'document',
    label: 'Terms of Use',
    title: 'Terms of Use',
  },
  {
    path: '/privacy',
    kind: 'document',
    label: 'Privacy Policy',
    title: 'Privacy Policy',
  },
];

/** The pages with islands. */
export const interactiveRoutes = routes.filter((route) => route.kind === 'interactive');

/** The route that serves a path, if there is one, in every spelling that hosts serve: `/x`, `/x/`, `/x.html`, `/x/index.html`. */
export function routeOf(path: string): Route | undefined {
  const bare = path.replace(/(?:\/index)?(?:\.html)?\/*$/, '') || '/';
  return routes.find((route) => route.path === bare);
}
