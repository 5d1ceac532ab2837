// The example of a feature page, by its kind.
import type { ExampleContent } from '#content/types.ts';
import { CacheExample } from './CacheExample.tsx';
import { DashboardExample } from './DashboardExample.tsx';
import { PromptExample } from './PromptExample.tsx';
import { RoutingExample } from './RoutingExample.tsx';

/** One drawing for each kind of content. */
export function Example({ content }: { readonly content: ExampleContent }) {
  switch (content.kind) {
    case 'prompt':
      return <PromptExample content={content} />;
    case 'cache':
      return <CacheExample content={content} />;
    case 'routing':
      return <RoutingExample content={content} />;
    case 'dashboard':
      return <DashboardExample content={content} />;
  }
}
