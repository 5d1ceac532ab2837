// The usage analytics page.
import { DashboardExample } from '#components/DashboardExample.tsx';
import { content, example } from '#content/pages/usage-analytics.ts';
import { FeatureLayout } from '#layouts/FeatureLayout.tsx';

/** A feature page with its own example. */
export default function Screen() {
  return <FeatureLayout content={content} example={<DashboardExample content={example} />} />;
}
