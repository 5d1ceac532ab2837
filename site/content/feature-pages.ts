// The words of the feature pages. Only the export has them: islands have only their example.
import type { Slug } from './bill.ts';
import { page as modelRouting } from './features/model-routing/page.ts';
import { page as promptOptimization } from './features/prompt-optimization/page.ts';
import { page as smartCaching } from './features/smart-caching/page.ts';
import { page as usageAnalytics } from './features/usage-analytics/page.ts';
import type { FeaturePage } from './types.ts';

/** The page of each feature. */
export const featurePages: Readonly<Record<Slug, FeaturePage>> = {
  'prompt-optimization': promptOptimization,
  'smart-caching': smartCaching,
  'model-routing': modelRouting,
  'usage-analytics': usageAnalytics,
};
