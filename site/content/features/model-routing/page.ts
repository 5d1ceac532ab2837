// The words of the model routing page.
import { percent, range, routed, routing } from '../../figures.ts';
import { money } from '../../money.ts';
import { settings } from '../../settings.ts';
import type { FeaturePage } from '../../types.ts';
import { drawing } from './drawing.ts';
import { example } from './example.ts';

/** All that the page says, and its example. */
export const page: FeaturePage = {
  content: {
    hero: {
      label: 'Model routing',
      title: 'Not every question needs the big model',
      text: `A small task costs as much as a hard one if both go to the largest model. ${settings.name} sends each request to the most cost-effective model that can do it, across several providers.`,
      demo: 'Book a Demo Call',
    },
    example: {
      label: 'Example',
      title: 'Three tasks, three prices',
      text: 'The complex task still gets the large model. The other two never needed it. How good an answer must be is your decision.',
    },
    how: {
      label: 'How it works',
      title: 'How a request finds its model',
      steps: [
        { title: 'Connect your API keys', text: 'Add the keys of every provider you have an account with. The more there are, the more there is to choose from.' },
        { title: 'Each request is weighed', text: 'How hard is it, how long, and what must the answer look like? That is known before anything is sent.' },
        { title: 'The cheapest fit gets it', text: 'Of the models that meet your quality threshold, the most cost-effective one answers.' },
      ],
    },
    benefits: {
      label: 'Benefits',
      title: 'The right model, without the upkeep',
      items: [
        { title: `${routing.savings} savings`, text: 'That is our range for mixed traffic, in which simple requests outnumber hard ones.', drawing: range('Mixed traffic', routing.savings) },
        { title: 'Quality thresholds', text: 'Set the quality that each kind of task must reach. A model below it is never used.', drawing },
        { title: 'Several providers', text: 'When prices and models change, routing follows them, so that you do not have to.' },
        { title: 'Your own prices', text: 'Each call runs on the account that you have with the provider, at the price that you have agreed on.' },
        { title: 'No list to keep', text: 'There is no table of models and prices in your code, and nobody has to keep one up to date.' },
        { title: 'Costs by model', text: 'The dashboard shows what share of your usage goes to which model, and what that costs.' },
      ],
    },
    caseStudy: {
      label: 'Sample case study',
      title: 'A very large model that turned dates into dates',
      company: 'Harbor Lane Analytics',
      paragraphs: [
        'Harbor Lane Analytics had sent everything to one large model since its first prototype: contract reviews, but also thousands of small clean-up jobs an hour, such as dates, units and country names.',
        'With model routing on, the clean-up went to a small model and the contracts stayed where they were. The quality threshold for contracts was set high on day one and has not been touched since.',
      ],
      figures: [
        { label: 'Cost of a simple call', was: money(routing.large), now: money(routing.small) },
        { label: 'Cost of a complex call', now: money(routing.large) },
        { label: 'Saved on one call of each kind', now: `${percent(routed.before - routed.after, routed.before)}%` },
      ],
    },
    testimonial: {
      label: 'Sample quote',
      item: {
        quote: 'It was like finding out that we had been taking a taxi to the mailbox. Very comfortable, and entirely our own fault.',
        author: 'Priya Nandakumar',
        title: 'Engineering Manager',
        company: 'Harbor Lane Analytics',
      },
    },
    faq: {
      label: 'Questions',
      title: 'Questions about routing',
      items: [
        { title: 'Who decides which model is good enough?', text: 'You do, with quality thresholds for each kind of task. Within them, routing picks the most cost-effective model.' },
        { title: 'Will a smaller model give worse answers?', text: 'Not for the tasks it gets. A model is used only if it meets the quality threshold that you set for the task, and hard tasks keep going to the large model.' },
        { title: 'Which providers does it cover?', text: 'Several AI model providers, through the API keys you connect. You keep your own accounts and your own prices with each of them.' },
      ],
    },
    demo: {
      title: 'Which of your calls need the large model?',
      text: 'Tell us your three most frequent requests, and we will say on the call where each would go.',
      button: 'Book a Demo Call',
    },
  },
  example,
};
