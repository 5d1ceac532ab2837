// The words of the prompt optimization page.
import { claims, percent, prompt, promptCost, range } from '../../figures.ts';
import { money } from '../../money.ts';
import { settings } from '../../settings.ts';
import type { FeaturePage } from '../../types.ts';
import { example } from './example.ts';

/** All that the page says, and its example. */
export const page: FeaturePage = {
  content: {
    hero: {
      label: 'Prompt optimization',
      title: 'Stop paying for please and thank you',
      text: `Providers bill by the token, and polite, padded prompts are full of tokens that change nothing. ${settings.name} rewrites each prompt to use fewer of them and to ask for exactly the same thing.`,
      demo: 'Book a Demo Call',
    },
    example: {
      label: 'Example',
      title: 'One prompt, with the red pen',
      text: `A support team sends this with every customer email. The struck words ask for nothing: they are only paid for. This prompt is wordier than most: it gets ${percent(prompt.before - prompt.after, prompt.before)}% shorter, where ${prompt.typical} is typical.`,
    },
    how: {
      label: 'How it works',
      title: 'How a prompt gets shorter',
      steps: [
        { title: 'Connect your API keys', text: 'Add the keys of the providers you use. Your prompts keep coming from your own code, as they do today.' },
        { title: 'Each prompt is shortened', text: 'Greetings, repeats and roundabout phrasing go. Instructions, names, numbers and your variables stay where they are.' },
        { title: 'You see what it saved', text: 'The dashboard counts the tokens that were saved and what they would have cost.' },
      ],
    },
    benefits: {
      label: 'Benefits',
      title: 'Fewer tokens, the same answer',
      items: [
        { title: `${prompt.typical} fewer tokens`, text: 'That is the typical saving on prompts that grew sentence by sentence.', drawing: range('Typical prompts', prompt.typical) },
        { title: 'Good prompts gain too', text: `Well-written prompts come out ${prompt.wellWritten} shorter: that is less, but it is saved on every request.`, drawing: range('Well-written prompts', prompt.wellWritten) },
        { title: 'Nothing to rewrite', text: 'You do not touch your templates. Rewriting happens on each request, automatically.' },
        { title: 'The meaning stays', text: 'Only words that change nothing go. Instructions, names and numbers are left alone.' },
        { title: 'Savings on every request', text: 'A prompt template goes out with each request. What is struck from it is saved each time.' },
        { title: 'Every provider', text: 'It works on plain text, so it saves on each of the models you use, not just on one.' },
      ],
    },
    caseStudy: {
      label: 'Sample case study',
      title: 'The preamble that nobody read',
      company: 'Fernhill Desk',
      paragraphs: [
        'Fernhill Desk answers email for online shops. Over two years its summary prompt had picked up a greeting, a role, a second reminder to be brief and a thank-you note, and it went out with every message.',
        'With prompt optimization on, the same instruction went out in well under half the tokens. Agents kept working from the same three bullet points and did not notice the change. Finance did.',
      ],
      figures: [
        { label: 'Tokens per prompt', was: `${prompt.before}`, now: `${prompt.after}` },
        { label: 'Cost per prompt', was: money(promptCost.before), now: money(promptCost.after) },
        { label: 'Quality loss', now: claims.loss },
      ],
    },
    testimonial: {
      label: 'Sample quote',
      item: {
        quote: 'I was rather fond of that prompt. Then I saw it with half of it crossed out, and could not say what was missing.',
        author: 'Ines Carvalho',
        title: 'Product Lead',
        company: 'Fernhill Desk',
      },
    },
    faq: {
      label: 'Questions',
      title: 'Questions about prompts',
      items: [
        { title: 'Will shorter prompts give worse answers?', text: `No. Quality loss is ${claims.loss}: only words that do not change the answer are struck.` },
        { title: 'What if my prompts are already good?', text: `Then you save less, but you still save. Well-written prompts typically come out ${prompt.wellWritten} shorter, compared with ${prompt.typical} for the rest.` },
        { title: 'Can I leave a prompt alone?', text: 'Yes. Exclusion rules let you name prompts that must go out word for word, such as legal wording or tests.' },
      ],
    },
    demo: {
      title: 'Read us your longest prompt',
      text: 'Bring one to the intro call. You will leave with a shorter one and its price.',
      button: 'Book a Demo Call',
    },
  },
  example,
};
