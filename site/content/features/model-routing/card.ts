// Model routing in the Features menu, in the Features menu, on its card of the home page, and in search results.
import { routing } from '../../figures.ts';
import type { FeatureCard } from '../../types.ts';
import { drawing } from './drawing.ts';

/** The card. */
export const card: FeatureCard = {
  menuText: 'The right model per task',
  title: 'Model routing: the right model for each task',
  description: `Each request goes to the most cost-effective model that can do it, across your AI providers. Savings of ${routing.savings}.`,
  text: `Sends each request to the most cost-effective model across several providers. Savings of ${routing.savings}.`,
  link: 'See where a task goes',
  drawing,
};
