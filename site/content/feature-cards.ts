// The cards of the features. Only the export has them: islands have only the features.
import type { Slug } from './bill.ts';
import { card as modelRouting } from './features/model-routing/card.ts';
import { card as promptOptimization } from './features/prompt-optimization/card.ts';
import { card as smartCaching } from './features/smart-caching/card.ts';
import { card as usageAnalytics } from './features/usage-analytics/card.ts';
import type { FeatureCard } from './types.ts';

/** The card of each feature. */
export const featureCards: Readonly<Record<Slug, FeatureCard>> = {
  'prompt-optimization': promptOptimization,
  'smart-caching': smartCaching,
  'model-routing': modelRouting,
  'usage-analytics': usageAnalytics,
};
