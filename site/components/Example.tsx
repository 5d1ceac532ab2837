// The example of a feature page, by its kind.
import type { ExampleContent } from '#content/types.ts';
import { CacheExample } from './CacheExample.tsx';
import { DashboardExample } from './DashboardExample.tsx';
import { Island } from './Island.tsx';
import { PromptExample } from './PromptExample.tsx';
import { RoutingExample } from './RoutingExample.tsx';

/** One drawing for each kind of content. Of the dashboard, only the tabs are an island. */
export function Example({ content }: { readonly content: ExampleContent }) {
  switch (content.kind) {
    case 'prompt':
      return <Island name="example"><PromptExample content={content} /></Island>;
    case 'cache':
      return <Island name="example"><CacheExample content={content} /></Island>;
    case 'routing':
      return <Island name="example"><RoutingExample content={content} /></Island>;
    case 'dashboard':
      return <DashboardExample content={content} />;
  }
}
