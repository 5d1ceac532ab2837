// The features that are advertised, in the order of menus, cards and bill.
import { modelRouting } from './features/model-routing/entry.ts';
import { promptOptimization } from './features/prompt-optimization/entry.ts';
import { smartCaching } from './features/smart-caching/entry.ts';
import { usageAnalytics } from './features/usage-analytics/entry.ts';
import type { Feature } from './types.ts';

/** Each has a page, a route, a place in the menus, a card, a line of the bill and a share image: see also feature-cards.ts and feature-pages.ts. */
export const features: readonly Feature[] = [promptOptimization, smartCaching, modelRouting, usageAnalytics];

/** The address of a feature's page. */
export const pathOf = (feature: Feature): string => `/${feature.slug}`;
