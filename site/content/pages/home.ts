// The words of the home page.
import { modelRouting } from '../features/model-routing/entry.ts';
import { promptOptimization } from '../features/prompt-optimization/entry.ts';
import { smartCaching } from '../features/smart-caching/entry.ts';
import { cache, claims, prompt, routing } from '../figures.ts';
import { money } from '../money.ts';
import { settings } from '../settings.ts';
import type { HomeContent } from '../types.ts';

/** Home page content. */
export const home: HomeContent = {
  hero: {
    label: 'For teams that pay for AI by the token',
    title: ['The same answers.', 'A smaller bill.'],
    text: `${settings.name} sits between your product and your AI providers. It shortens prompts, reuses answers, and sends each request to the most cost-effective model that can do it. You keep the quality and lose the waste.`,
    demo: 'Book a Demo Call',
    how: 'See How It Works',
    figures: [
      { value: claims.savings, label: 'average savings' },
      { value: claims.setup, label: 'to set up' },
      { value: claims.loss, label: 'quality loss' },
    ],
  },
  how: {
    label: 'How it works',
    title: `One line of code, about ${claims.setup}`,
    text: 'You change nothing about how you write prompts or ship features. The saving happens on the way to the provider.',
    steps: [
      {
        title: 'Connect your API keys',
        text: 'Add the keys of the AI providers you use today. Your contracts with them stay as they are.',
      },
      {
        title: 'Change one line',
        text: `The base URL now leads to us. That is the whole integration, and why it takes about ${claims.setup}.`,
      },
      {
        title: 'Watch the total drop',
        text: 'Every request is optimized automatically. The dashboard shows what each line would have cost and what it cost instead.',
      },
    ],
    code: {
      title: 'The whole change',
      kind: 'Sample code',
      lines: [
        { text: 'client = Client(' },
        { text: '  api_key=PROVIDER_KEY,' },
        { text: '  base_url="https://provider.example",', change: 'struck' },
        { text: `  base_url="${settings.origin.replace(/\/\/(?:www\.)?/, '//api.')}",`, change: 'new' },
        { text: ')' },
      ],
      note: 'Everything else stays as it is.',
    },
    way: {
      title: 'What then happens to each request',
      from: 'Your product asks',
      to: 'The answer comes back',
      stops: [
        { feature: promptOptimization, title: 'Shortened', text: 'Words that change nothing are struck from the prompt.', was: `${prompt.before} tokens`, now: `${prompt.after} tokens` },
        { feature: smartCaching, title: 'Looked up', text: 'Was it asked before? Then the kept answer goes straight back.', was: `${cache.first.seconds} s`, now: `${cache.similar.seconds} s` },
        { feature: modelRouting, title: 'Routed', text: 'What is new goes to the most cost-effective model that can do it.', was: money(routing.large), now: money(routing.small) },
      ],
    },
  },
  benefits: {
    label: 'Benefits',
    title: 'What you stop paying for',
    items: [
      {
        title: 'Save Money Instantly',
        text: 'Cut what you pay across several AI model providers from the first request on, without negotiating a single contract.',
        figure: claims.savings,
        unit: 'average savings',
      },
      {
        title: 'Save Time',
        text: 'No prompt reviews, no model comparisons, no spreadsheets at the end of the month. The tuning is done for you.',
        figure: '0',
        unit: 'prompts to rewrite by hand',
      },
      {
        title: 'Easy Integration',
        text: 'Connect your keys and carry on. There is nothing to migrate and nothing to retrain.',
        figure: claims.setup,
        unit: 'to set up',
      },
      {
        title: 'Enterprise Security',
        text: 'Your keys and your traffic are protected with bank-level encryption, and the service is SOC 2 compliant.',
        figure: 'SOC 2',
        unit: 'compliance',
      },
    ],
  },
  features: {
    label: 'Features',
    title: 'Four lines, four ways to strike them off',
    text: 'Each one strikes a line of the sample bill above, and each one works alone.',
  },
  testimonials: {
    label: 'Testimonials',
    title: 'Three teams on their month-end',
    items: [
      {
        quote: 'I opened the invoice twice because I thought a line was missing. It was. We had stopped paying for the same question four hundred times a day.',
        author: 'Mara Ellison',
        title: 'Head of Support Engineering',
        company: 'Fernhill Desk',
      },
      {
        quote: 'Setup was shorter than the meeting we held to decide about it. Nobody on the product side noticed anything, which was the point.',
        author: 'Tobias Renner',
        title: 'Chief Technology Officer',
        company: 'Quillworks',
      },
      {
        quote: 'We had been using the biggest model to turn dates into other dates. Now we do not, and the budget lasts until the end of the month.',
        author: 'Priya Nandakumar',
        title: 'Engineering Manager',
        company: 'Harbor Lane Analytics',
      },
    ],
  },
  closing: {
    title: 'Bring last month’s bill. We’ll bring the red pen.',
    text: 'An intro call is short. You show us where your AI spend goes, and we show you which lines we would strike first.',
    button: 'Book a Demo Call',
  },
};
