// The model routing page.
import { RoutingExample } from '#components/RoutingExample.tsx';
import { content, example } from '#content/pages/model-routing.ts';
import { FeatureLayout } from '#layouts/FeatureLayout.tsx';

/** A feature page with its own example. */
export default function Screen() {
  return <FeatureLayout content={content} example={<RoutingExample content={example} />} />;
}
