// The one route table: prerender list, routers, menus, sitemap and page metadata all read it. It holds no settings, since vike
// reads it before they are there.
import { claims, prompt, routing } from './figures.ts';

/** Interactive pages are taken over by React after the first paint; documents never load it. */
export type RouteKind = 'interactive' | 'document';

/** A page of the site. */
export interface Route {
  readonly path: string;
  readonly kind: RouteKind;
  /** Short name, for menus and breadcrumbs. */
  readonly label: string;
  /** What the page is about; the title element adds the brand. */
  readonly title: string;
  /** What search results show; a document says it in its own front matter. */
  readonly description?: string;
  /** One line under the label in the Features menu; only feature pages have one. */
  readonly menuText?: string;
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
  {
    path: '/prompt-optimization',
    kind: 'interactive',
    label: 'Prompt optimization',
    title: 'Prompt optimization: shorter prompts, same answers',
    description: `Your prompts, rewritten to use fewer tokens and mean the same. Typical token savings of ${prompt.typical}, and ${prompt.wellWritten} where prompts are already well written.`,
    menuText: 'Say the same in fewer tokens',
  },
  {
    path: '/smart-caching',
    kind: 'interactive',
    label: 'Smart caching',
    title: 'Smart caching: pay for an answer once',
    description: 'Pay for an answer once. Duplicate and similar questions are answered from the cache, at no cost and in about a tenth of a second.',
    menuText: 'Pay for an answer once',
  },
  {
    path: '/model-routing',
    kind: 'interactive',
    label: 'Model routing',
    title: 'Model routing: the right model for each task',
    description: `Each request goes to the most cost-effective model that can do it, across your AI providers. Savings of ${routing.savings}.`,
    menuText: 'The right model for each task',
  },
  {
    path: '/usage-analytics',
    kind: 'interactive',
    label: 'Usage analytics',
    title: 'Usage analytics: see where AI spend goes',
    description: 'See what every team, project and user spends on AI, set monthly budgets, and get recommendations for what to cut next.',
    menuText: 'See where the money goes',
  },
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

/** The pages that React takes over. */
export const interactiveRoutes = routes.filter((route) => route.kind === 'interactive');

/** The four feature pages, in menu order. */
export const featureRoutes = routes.filter((route) => route.menuText !== undefined);

/** The route that serves a path, if there is one, in every spelling that hosts serve: `/x`, `/x/`, `/x.html`, `/x/index.html`. */
export function routeOf(path: string): Route | undefined {
  const bare = path.replace(/(?:\/index)?(?:\.html)?\/*$/, '') || '/';
  return routes.find((route) => route.path === bare);
}
