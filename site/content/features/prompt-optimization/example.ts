// The before/after prompt of the prompt optimization page.
import { prompt, promptCost } from '../../figures.ts';
import { money } from '../../money.ts';
import type { PromptExampleContent } from '../../types.ts';

/** The prompt, line by line. */
export const example: PromptExampleContent = {
  kind: 'prompt',
  caption: 'The prompt, line by line, in tokens',
  columns: { line: 'Line of the prompt', before: 'Before', after: 'After' },
  parts: [
    { tokens: 30, struck: true, text: 'Hello! I hope that you are doing well today. I would like you to please act as a very helpful and knowledgeable assistant for our support team.' },
    { tokens: 21, struck: true, text: 'What I need you to do is carefully read the email that I am going to paste at the end.' },
    { tokens: 29, struck: false, text: 'Summarize the customer email below in three bullet points: the problem, what the customer has already tried, and what they want from us.' },
    { tokens: 23, struck: true, text: 'Please make sure that the summary you write is concise and not too long, because our agents are very busy people.' },
    { tokens: 24, struck: false, text: 'Stay under 60 words, in a neutral tone. Name the order number if there is one; never guess it.' },
    { tokens: 15, struck: true, text: 'Thank you so much in advance for your help, I really appreciate it!' },
    { tokens: 5, struck: false, text: 'Email: {{email}}' },
  ],
  hint: 'Press a struck line to put it back.',
  dollarsPerToken: prompt.dollarsPerToken,
  sums: [
    { label: 'Tokens', was: `${prompt.before}`, now: `${prompt.after}` },
    { label: 'Cost', was: money(promptCost.before), now: money(promptCost.after) },
  ],
  sent: 'What is sent',
  note: `Costs are at a sample price of ${money(1000 * prompt.dollarsPerToken)} per 1,000 tokens. The counts are exact in both of OpenAI’s common encodings, o200k and cl100k.`,
};
