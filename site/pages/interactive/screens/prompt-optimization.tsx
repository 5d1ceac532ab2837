// The prompt optimization page.
import { PromptExample } from '#components/PromptExample.tsx';
import { content, example } from '#content/pages/prompt-optimization.ts';
import { FeatureLayout } from '#layouts/FeatureLayout.tsx';

/** A feature page with its own example. */
export default function Screen() {
  return <FeatureLayout content={content} example={<PromptExample content={example} />} />;
}
