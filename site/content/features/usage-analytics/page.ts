// The words of the usage analytics page.
import { billTotal, lineOf, months } from '../../bill.ts';
import { cache, percent, routing } from '../../figures.ts';
import { money } from '../../money.ts';
import { settings } from '../../settings.ts';
import type { FeaturePage } from '../../types.ts';

const month = billTotal();
const own = billTotal([lineOf.usageAnalytics]);
const budget = 6000;
const monthNames = ['Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep'] as const;
/** The forgotten test: the cost of a call every four minutes for 30 days, and the budget that saves its part of the bill. */
const test = { cost: 15 * 24 * 30 * routing.large, budget: 15 * 24 * 30 * routing.large - own.saved };
/** Millions of tokens in the month. */
const tokens = { asked: 42, saved: 16.8 };

/** A part of the month, whose amount follows from its share. */
const part = (label: string, share: number) => ({ label, value: money((month.after * share) / 100), share });
const teams = [part('Support', 40), part('Product', 30), part('Data', 20), part('Marketing', 10)];
const model = (label: string, share: number) => ({ label, value: `${share}%`, share });
const monthOf = (label: string, value: number) => ({ label, value, text: money(value) });

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
  example: {
    kind: 'dashboard',
    title: 'AI spend',
    period: 'Sample month',
    spend: {
      label: 'Monthly spend',
      value: money(month.after),
      detail: `instead of ${money(month.before)}`,
      months: monthNames.map((name, index) => monthOf(name, months[index] ?? 0)),
    },
    rates: [
      { label: 'Cost reduction', value: `${month.percent}%`, share: month.percent, detail: `${money(month.saved)} kept`, tone: 'saved' },
      { label: 'Tokens saved', value: `${tokens.saved}M`, share: percent(tokens.saved, tokens.asked), detail: `of ${tokens.asked}M asked for`, tone: 'saved' },
      { label: 'Cache hit rate', value: `${cache.hitRate.sample}%`, share: cache.hitRate.sample, detail: 'in 30 days', tone: 'requests' },
    ],
    budget: {
      label: 'Budget remaining',
      value: money(budget - month.after),
      share: percent(month.after, budget),
      detail: `${money(month.after)} of ${money(budget)} used`,
      tone: 'spent',
      drawn: 'Budget used',
    },
    splits: [
      { tab: 'Team', label: 'Spending by team', items: teams },
      { tab: 'Project', label: 'Spending by project', items: [part('Ticket summaries', 35), part('Product search', 30), part('Weekly reports', 20), part('Ad copy', 15)] },
      { tab: 'User', label: 'Spending by user', items: [part('support-bot', 45), part('search-api', 30), part('J. Alvarez', 15), part('R. Meyer', 10)] },
    ],
    legend: [
      { tone: 'spent', label: 'Spent' },
      { tone: 'saved', label: 'Saved' },
      { tone: 'requests', label: 'Share of requests' },
    ],
    models: { label: 'Model usage share', items: [model('Small models', 61), model('Mid-size models', 27), model('Large models', 12)] },
  },
};
