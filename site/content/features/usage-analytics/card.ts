// Usage analytics in the Features menu, in the Features menu, on its card of the home page, and in search results.
import { lineOf, months } from '../../bill.ts';
import type { FeatureCard } from '../../types.ts';

const line = lineOf['usage-analytics'];

/** The card. */
export const card: FeatureCard = {
  menuText: 'See where the money goes',
  title: 'Usage analytics: see where AI spend goes',
  description: 'See what every team, project and user spends on AI, set monthly budgets, and get recommendations for what to cut next.',
  text: 'Dashboards of spend, monthly budgets with alerts, and recommendations for what to cut next.',
  link: 'See the dashboard',
  drawing: { kind: 'bars', values: months.map((_, index) => (index === 0 ? line.before : line.after)) },
};
