// The words of the home page.
import { features } from '../features.ts';
import { cache, claims, prompt, promptCost, routing } from '../figures.ts';
import { money } from '../money.ts';
import { settings } from '../settings.ts';
import type { RequestStop } from '../interactive-types.ts';
import type { HomeContent } from '../types.ts';
import { codeSamples } from './code-samples.ts';

/** The number of features in words. */
const count = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'][features.length] ?? String(features.length);

const works = (text: string): RequestStop => ({ state: 'works', text });
const passes = (text: string): RequestStop => ({ state: 'passes', text });
const skipped = (text: string): RequestStop => ({ state: 'skipped', text });

/** Home page content. */
export const home: HomeContent = {
  hero: {
    label: 'For teams that pay for AI by the token',
    title: ['The same answers.', 'A smaller bill.'],
    text: `${settings.name} sits between you and your AI providers. It shortens prompts, reuses answers, and picks the most cost-effective model.`,
    demo: 'Book a Demo Call',
    how: 'See How It Works',
    figuresNote: '/terms#marketing-figures',
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
        text: 'Add the keys of your AI providers to your account, once. They are encrypted in transit and in storage. Your contracts with the providers stay as they are.',
      },
      {
        title: 'Change one line',
        text: `The base URL now points to us, so each request reaches us first, and then your provider. That is the whole integration, and why it takes about ${claims.setup}.`,
      },
      {
        title: 'Watch the total drop',
        text: 'Every request is optimized automatically. The dashboard shows what each line would have cost and what it cost instead.',
      },
    ],
    code: {
      title: 'The whole change',
      kind: 'Sample code',
      samples: codeSamples,
      notes: [
        { title: 'What changes', text: 'where a request goes first.' },
        { title: 'What stays in your client', text: 'the library, the prompts, the model names and the key.' },
        { title: 'What the key does', text: 'it shows us whose request it is. For any model that you connected, we use the key in your account.' },
      ],
    },
    desk: {
      title: 'Send a request. See what it costs.',
      text: 'Five sample requests, and what happens to each on its way to the provider.',
      stops: ['Shortened', 'Looked up', 'Routed'],
      cost: 'This request',
      requests: [
        {
          text: '“Hello! I hope that you are doing well today. I would like you to please act as…”',
          stops: [works(`${prompt.before} tokens, now ${prompt.after}`), passes('New question'), passes('Right model already')],
          was: money(promptCost.before),
          now: money(promptCost.after),
          why: `${prompt.before - prompt.after} of its ${prompt.before} tokens changed nothing, so they were not sent.`,
        },
        {
          text: '“pasword reset??”',
          stops: [passes('Nothing to strike'), works('Asked before'), skipped('Never needed')],
          was: money(cache.first.dollars),
          now: money(cache.similar.dollars),
          why: `It means the same as an earlier question, so that answer comes back, in ${cache.similar.seconds} s instead of ${cache.first.seconds} s.`,
        },
        {
          text: '“Write ‘3rd of March, 2024’ as an ISO date.”',
          stops: [passes('Nothing to strike'), passes('New question'), works('Small model')],
          was: money(routing.large),
          now: money(routing.small),
          why: 'A small model meets the quality threshold for this task, so the large one is not needed.',
        },
        {
          text: '“Summarize this support thread and name the next step.”',
          stops: [passes('Nothing to strike'), passes('New question'), works('Mid-size model')],
          was: money(routing.large),
          now: money(routing.midsize),
          why: 'The small model is not good enough for this one. The mid-size model is, at half the price of the large one.',
        },
        {
          text: '“Compare this contract with our policy and list every conflict.”',
          stops: [passes('Nothing to strike'), passes('New question'), passes('Large model')],
          now: money(routing.large),
          why: 'Short, new and hard: this one costs full price. Only the large model is good enough, so it gets the large model.',
        },
      ],
      note: 'Sample requests at sample prices.',
    },
  },
  benefits: {
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
        text: 'Connect your keys, change one line, and carry on. There is nothing to migrate and nothing to retrain.',
        figure: claims.setup,
        unit: 'to set up',
      },
      {
        title: 'Enterprise Security',
        text: 'Your keys and your traffic are protected with bank-level encryption, and the service is SOC 2 compliant.',
        figure: 'SOC 2',
        unit: 'compliance',
        proof: {
          title: 'What buyers ask first',
          questions: [
            {
              question: 'What do you charge?',
              answer: 'Your fee is in your customer agreement, and you hear it on the call. The call obliges you to nothing.',
              link: { label: 'Fees and refunds', href: '/terms#refunds' },
            },
            {
              question: 'What if your service is down?',
              answer: 'Change the line back. Your client still has its key, so requests go straight to your provider again. What we owe you then is in your customer agreement.',
            },
            {
              question: 'Which providers?',
              answer: 'Several AI model providers, with the keys that you connect. Your accounts and prices stay yours. Ask about your providers on the call.',
              link: { label: 'API keys and AI providers', href: '/terms#api-keys' },
            },
          ],
          caption: 'What do you store, where, and until when?',
          columns: ['What', 'Where', 'Until when'],
          rows: [
            {
              what: { label: 'API keys', href: '/privacy#api-keys' },
              where: 'Encrypted, on the systems of our hosting provider. Sent only to the AI provider that each belongs to.',
              until: 'Until you remove them. Backup copies are gone within 30 days.',
            },
            {
              what: { label: 'Prompts and answers', href: '/privacy#api-keys' },
              where: 'Passed on to the AI providers that you connected. Never sold, and never used to train AI models.',
              until: 'For the cache duration that you set, as your agreement provides.',
            },
            {
              what: { label: 'Usage counts', href: '/privacy#collect' },
              where: 'Numbers of requests and tokens, costs and cache hits, with your account.',
              until: 'As long as the account exists, and up to 90 days after it is deleted.',
            },
          ],
          leave: {
            before: 'To leave, change the line back and remove your keys: they stop working with us at once. ',
            link: { label: 'How long we keep what', href: '/privacy#retention' },
            after: '.',
          },
        },
      },
    ],
  },
  features: {
    label: 'Features',
    title: `${count} lines. ${count}\u00A0ways to shrink them.`,
    text: 'Each one strikes a line of the sample bill above, and each one works alone.',
  },
  testimonials: {
    label: 'Sample quotes',
    title: 'Three sample teams at the end of the month',
    text: 'The people and the companies are invented.',
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
