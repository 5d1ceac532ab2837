// The words of the usage analytics page.
import { billTotal, lineOf } from '../../bill.ts';
import { percent, routing } from '../../figures.ts';
import { money } from '../../money.ts';
import { settings } from '../../settings.ts';
import type { FeaturePage } from '../../types.ts';
import { budget, example, month, teams } from './example.ts';

const own = billTotal([lineOf['usage-analytics']]);
/** The forgotten test: the cost of a call every four minutes for 30 days, and the budget that saves its part of the bill. */
const test = { cost: 15 * 24 * 30 * routing.large, budget: 15 * 24 * 30 * routing.large - own.saved };

/** All that the page says, and its example. */
export const page: FeaturePage = {
  content: {
    hero: {
      label: 'Usage analytics',
      title: 'Know who spent it before finance asks',
      text: `A provider’s invoice is one large number. ${settings.name} breaks it down by team, project, user and model, warns you before a budget runs out, and recommends what to strike next.`,
      demo: 'Book a Demo Call',
    },
    example: {
      label: 'Example',
      title: 'The bill, while it can still be changed',
      text: 'A month in one place, drawn with sample figures: what was spent, what was not, and who has how much left.',
    },
    how: {
      label: 'How it works',
      title: 'From one number to every line',
      steps: [
        { title: 'Connect your API keys', text: 'Sign in, with a Google account if you like, and add the keys of your providers. Usage is counted from the next request on.' },
        { title: 'Every request is counted', text: 'Each one is assigned to a team, a project and a user, with its tokens, its model and its price.' },
        { title: 'Act on what you see', text: 'Set budgets, choose who is warned, and take up recommendations with the saving each one would bring.' },
      ],
    },
    benefits: {
      label: 'Benefits',
      title: 'Budgets, alerts, and who spent what',
      items: [
        { title: 'Monthly budgets', text: 'Give each team, project or user an amount for the month, and see at any time what is left of it.', drawing: { kind: 'parts', rows: [{ text: 'Used', value: `${money(month.after)} of ${money(budget)}`, share: percent(month.after, budget) }] } },
        { title: 'Spending by team', text: 'Each team sees its own line, next to those of the other teams.', drawing: { kind: 'parts', rows: teams.map(({ label, value, share }) => ({ text: label, value, share })) } },
        { title: 'Alerts that warn or restrict', text: 'Near the limit an alert can tell someone, or it can hold further requests until you say otherwise.' },
        { title: 'Recommendations', text: 'A list of what to change next, the most expensive first: prompts to shorten, questions to cache, calls to route.' },
        { title: 'Every provider, one view', text: 'Several accounts and several invoices, in a single set of figures.' },
        { title: 'Savings you can show', text: 'What you paid is shown next to what you would have paid, ready for the next review.' },
      ],
    },
    caseStudy: {
      label: 'Sample case study',
      title: 'The test suite that never slept',
      company: 'Quillworks',
      paragraphs: [
        'Quillworks makes writing software. Its AI bill crept up each month and every team was sure it was another one. Nobody could look it up, so nobody was wrong.',
        `In the first week, spending by team showed that a forgotten test called a large model every four minutes, day and night, for ${money(test.cost)} a month. The test got a budget of ${money(test.budget)}, the budget got an alert that restricts, and the line fell by a quarter.`,
      ],
      figures: [
        { label: 'Spend nobody watched', was: money(own.before), now: money(own.after) },
        { label: 'Cost reduction on that line', now: `${percent(own.saved, own.before)}%` },
        { label: 'Teams with a budget', was: '0', now: '4' },
      ],
    },
    testimonial: {
      label: 'Sample quote',
      item: {
        quote: 'Our budget meeting used to be about whose fault it was. It is now eleven minutes long and mostly about lunch.',
        author: 'Tobias Renner',
        title: 'Chief Technology Officer',
        company: 'Quillworks',
      },
    },
    faq: {
      label: 'Questions',
      title: 'Questions about analytics',
      items: [
        { title: 'Do you read our prompts to count them?', text: 'No. Counting needs the size, the model and the price of a request, not its words. Your traffic is protected with bank-level encryption, and the service is SOC 2 compliant.' },
        { title: 'What happens when a budget is used up?', text: 'What you chose: an alert that warns the people you name, or one that restricts further requests until the month ends or you raise the budget.' },
        { title: 'How is spending split?', text: 'By team, by project and by user. Each request counts for all three, so one month can be read in three ways.' },
      ],
    },
    demo: {
      title: 'Put a name to every dollar',
      text: 'On the intro call we will walk through the dashboard with figures of your size.',
      button: 'Book a Demo Call',
    },
  },
  example,
};
