// The words of the smart caching page.
import { cache } from '../../figures.ts';
import { money } from '../../money.ts';
import { settings } from '../../settings.ts';
import type { Answer } from '../../threshold-types.ts';
import type { FeaturePage } from '../../types.ts';
import { drawing } from './drawing.ts';
import { example } from './example.ts';

const race = ({ source, time, share, cached: saved }: Answer) => ({ text: source, value: time, share, saved });

/** All that the page says, and its example. */
export const page: FeaturePage = {
  content: {
    hero: {
      label: 'Smart caching',
      title: 'Pay for an answer once',
      text: `Your users ask the same things in slightly different words, and you pay for each of them. ${settings.name} keeps the answer and hands it out again for duplicate or similar queries, at no cost.`,
      demo: 'Book a Demo Call',
    },
    example: {
      label: 'Example',
      title: 'Asked three ways, paid for once',
      text: 'The first call goes to the model and is paid for. The next two mean the same, so they are answered from the cache. The last one only looks alike. You decide what is similar enough.',
    },
    how: {
      label: 'How it works',
      title: 'Ask, store, reuse',
      steps: [
        { title: 'Connect your API keys', text: 'Add your provider keys. Requests then pass through the cache on their way, with no change to your code’s logic.' },
        { title: 'Answers are stored', text: 'Each answer is stored with the meaning of its question, for as long as the cache duration you set.' },
        { title: 'Similar questions reuse them', text: 'When a new question is close enough to an old one, by a threshold you choose, the stored answer comes back at once.' },
      ],
    },
    benefits: {
      label: 'Benefits',
      title: 'Answers you keep, rules you set',
      items: [
        { title: `Repeats cost ${money(cache.similar.dollars)}`, text: 'A duplicate or similar query never reaches the provider, so there is nothing to bill.', drawing },
        { title: `${cache.similar.seconds} s instead of ${cache.first.seconds} s`, text: 'A stored answer is only looked up. That is what the two calls of our example take.', drawing: { kind: 'parts', rows: [race(example.paid), race(example.reused)] } },
        { title: 'Meaning, not spelling', text: 'Questions are compared by what they ask for, so a typo or a new phrasing still finds its answer.' },
        { title: 'Your cache duration', text: 'Keep prices for an hour and policies for a month. The duration is yours to configure.' },
        { title: 'Similarity thresholds', text: 'Decide how alike two questions must be. Strict where it matters, generous where it does not.' },
        { title: 'Exclusion rules', text: 'Name what must never be cached, such as personal data or live figures, and it always goes to the model.' },
      ],
    },
    caseStudy: {
      label: 'Sample case study',
      title: 'Four hundred ways to lose a password',
      company: 'Brightmoor Learning',
      paragraphs: [
        'Brightmoor Learning runs a help assistant for schools. Each September the same few dozen questions arrive by the thousand, in every wording that a worried parent can find.',
        `With smart caching on, the first parent’s answer served the rest. In this sample, the cache answered ${cache.hitRate.sample}% of the questions, and the busiest month of the year was no longer the most expensive.`,
      ],
      figures: [
        { label: 'Cost of a similar query', was: money(cache.first.dollars), now: money(cache.similar.dollars) },
        { label: 'Time to answer', was: `${cache.first.seconds} s`, now: `${cache.similar.seconds} s` },
        { label: 'Cache hit rate in 30 days', now: `${cache.hitRate.sample}%` },
      ],
    },
    testimonial: {
      label: 'Sample quote',
      item: {
        quote: 'Parents think we hired someone very quick. We hired a cache, and it has never once sighed at a question.',
        author: 'Owen Tait',
        title: 'Head of Platform',
        company: 'Brightmoor Learning',
      },
    },
    faq: {
      label: 'Questions',
      title: 'Questions about caching',
      items: [
        { title: 'What hit rate should I expect?', text: `Typical cache hit rates are ${cache.hitRate.month} in 30 days. Assistants that hear the same questions all day, such as support desks, see ${cache.hitRate.repetitive} in the first month.` },
        { title: 'How do you keep answers from going stale?', text: 'You set the cache duration. When it is over, the next question goes to the model, and the new answer replaces the old one.' },
        { title: 'What if two questions only look alike?', text: 'The similarity threshold decides, and you decide the threshold. Questions below it go to the model, and exclusion rules keep whole topics out of the cache.' },
      ],
    },
    demo: {
      title: 'How often do you pay twice?',
      text: 'Bring a day of traffic to the intro call, and we will count the repeats with you.',
      button: 'Book a Demo Call',
    },
  },
  example,
};
