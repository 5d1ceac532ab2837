// Usage analytics as the rest of the site shows it: in menus and search results, on its card, and as a line of the bill.
import { lineOf, months } from '../../bill.ts';
import type { Feature } from '../../types.ts';

const line = lineOf.usageAnalytics;

/** Usage analytics. */
export const usageAnalytics: Feature = {
  slug: 'usage-analytics',
  label: 'Usage analytics',
  title: 'Usage analytics: see where AI spend goes',
  description: 'See what every team, project and user spends on AI, set monthly budgets, and get recommendations for what to cut next.',
  menuText: 'See where the money goes',
  line,
  card: {
    text: 'Dashboards of spend, monthly budgets with alerts, and recommendations for what to cut next.',
    link: 'See the dashboard',
    drawing: { kind: 'bars', values: months.map((_, index) => (index === 0 ? line.before : line.after)) },
  },
  page: async () => (await import('./page.ts')).page,
};
