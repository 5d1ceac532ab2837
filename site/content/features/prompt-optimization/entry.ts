// Prompt optimization as the rest of the site shows it: in menus and search results, on its card, and as a line of the bill.
import { lineOf } from '../../bill.ts';
import { prompt } from '../../figures.ts';
import type { Feature } from '../../types.ts';

/** Prompt optimization. */
export const promptOptimization: Feature = {
  slug: 'prompt-optimization',
  label: 'Prompt optimization',
  title: 'Prompt optimization: shorter prompts, same answers',
  description: `Your prompts, rewritten to use fewer tokens and mean the same. Typical token savings of ${prompt.typical}, and ${prompt.wellWritten} if prompts are already well written.`,
  menuText: 'Say the same in fewer tokens',
  line: lineOf.promptOptimization,
  card: {
    text: `Rewrites your prompts to use fewer tokens and ask for exactly the same thing. Typical token savings of ${prompt.typical}.`,
    link: 'See a prompt get shorter',
    drawing: {
      kind: 'words',
      parts: [
        { text: 'Hello! I hope that you are doing well today. I would like you to please act as…', struck: true },
        { text: 'Summarize the customer email below in three bullet points…', struck: false },
        { text: 'Thank you so much in advance for your help…', struck: true },
      ],
    },
  },
  page: async () => (await import('./page.ts')).page,
};
