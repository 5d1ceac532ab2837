// The smart caching page.
import { CacheExample } from '#components/CacheExample.tsx';
import { content, example } from '#content/pages/smart-caching.ts';
import { FeatureLayout } from '#layouts/FeatureLayout.tsx';

/** A feature page with its own example. */
export default function Screen() {
  return <FeatureLayout content={content} example={<CacheExample content={example} />} />;
}
