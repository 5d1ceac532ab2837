// The words of the usage analytics page.
import { settings } from '../settings.ts';
import type { DashboardContent, FeatureContent } from '../types.ts';

/** What all feature pages have. */
export const content: FeatureContent = {
  feature: 'usage-analytics',
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
      { title: 'Every request is booked', text: 'Each one is put down to a team, a project and a user, with its tokens, its model and its price.' },
      { title: 'Act on what you see', text: 'Set budgets, choose who is warned, and take up recommendations with the saving each one would bring.' },
    ],
  },
  benefits: {
    label: 'Benefits',
    title: 'No more surprises on the first',
    items: [
      { title: 'Monthly budgets', text: 'Give each team, project or user an amount for the month, and see at any time what is left of it.' },
      { title: 'Alerts that warn or restrict', text: 'Near the limit an alert can tell someone, or it can hold further requests until you say otherwise.' },
      { title: 'Spending by team', text: 'Each team sees its own line. Most of them start saving as soon as they do.' },
      { title: 'Recommendations', text: 'A list of what to change next, dearest first: prompts to shorten, questions to cache, calls to route.' },
      { title: 'Every provider, one view', text: 'Several accounts, several invoices and several currencies of tokens, in a single set of figures.' },
      { title: 'Savings you can show', text: 'What you paid stands beside what you would have paid, request by request, ready for the next review.' },
    ],
  },
  caseStudy: {
    label: 'Case study',
    title: 'The test suite that never slept',
    company: 'Quillworks',
    paragraphs: [
      'Quillworks makes writing software. Its AI bill crept up each month and every team was sure it was another one. Nobody could look it up, so nobody was wrong.',
      'In the first week, spending by team showed that a forgotten nightly test called a large model every minute. The test got a budget, the budget got an alert that restricts, and the line went away.',
    ],
    figures: [
      { label: 'Monthly spend', was: '$8,400', now: '$5,040' },
      { label: 'Cost reduction', now: '40%' },
      { label: 'Teams with a budget', was: '0', now: '4' },
    ],
    note: 'A sample case: the company is invented and the figures are illustrative.',
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
    title: 'Asked about analytics',
    items: [
      { title: 'Do you read our prompts to count them?', text: 'Counting needs the size, the model and the price of a request. Your traffic is protected with bank-level encryption, and the service is SOC 2 compliant.' },
      { title: 'What happens when a budget is used up?', text: 'What you chose: an alert that warns the people you name, or one that restricts further requests until the month ends or you raise the budget.' },
      { title: 'How is spending split?', text: 'By team, by project and by user, from the keys and labels you already use. You can move a project to another team at any time.' },
    ],
  },
  demo: {
    title: 'Put a name to every dollar',
    text: 'On the intro call we will walk through the dashboard with figures of your size.',
    button: 'Book a Demo Call',
  },
};

/** The dashboard mock. */
export const example: DashboardContent = {
  title: 'AI spend',
  period: 'Sample month',
  tiles: [
    { label: 'Monthly spend', value: '$5,040', detail: 'instead of $8,400' },
    { label: 'Cost reduction', value: '40%', detail: '$3,360 kept' },
    { label: 'Tokens saved', value: '16.8M', detail: 'of 42M asked for' },
    { label: 'Cache hit rate', value: '52%', detail: 'in 30 days' },
  ],
  trend: {
    label: 'Spend by month',
    months: [
      { label: 'Apr', value: 8400, text: '$8,400' },
      { label: 'May', value: 7560, text: '$7,560' },
      { label: 'Jun', value: 6720, text: '$6,720' },
      { label: 'Jul', value: 6050, text: '$6,050' },
      { label: 'Aug', value: 5460, text: '$5,460' },
      { label: 'Sep', value: 5040, text: '$5,040' },
    ],
  },
  budget: { label: 'Budget remaining', value: '$960', share: 84, detail: '$5,040 of $6,000 used' },
  teams: {
    label: 'Spending by team',
    items: [
      { label: 'Support', value: '$2,016', share: 40 },
      { label: 'Product', value: '$1,512', share: 30 },
      { label: 'Data', value: '$1,008', share: 20 },
      { label: 'Marketing', value: '$504', share: 10 },
    ],
  },
  models: {
    label: 'Model usage share',
    items: [
      { label: 'Small models', value: '61%', share: 61 },
      { label: 'Mid-size models', value: '27%', share: 27 },
      { label: 'Large models', value: '12%', share: 12 },
    ],
  },
  note: 'A mock with sample figures only.',
};
