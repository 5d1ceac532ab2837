// Model routing as the rest of the site shows it: in menus and search results, on its card, and as a line of the bill.
import { lineOf } from '../../bill.ts';
import { routing } from '../../figures.ts';
import type { Feature } from '../../types.ts';
import { drawing } from './drawing.ts';

/** Model routing. */
export const modelRouting: Feature = {
  slug: 'model-routing',
  label: 'Model routing',
  title: 'Model routing: the right model for each task',
  description: `Each request goes to the most cost-effective model that can do it, across your AI providers. Savings of ${routing.savings}.`,
  menuText: 'The right model per task',
  line: lineOf.modelRouting,
  card: {
    text: `Sends each request to the most cost-effective model across several providers. Savings of ${routing.savings}.`,
    link: 'See where a task goes',
    drawing,
  },
  page: async () => (await import('./page.ts')).page,
};
