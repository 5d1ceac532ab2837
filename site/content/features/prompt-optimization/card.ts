// Prompt optimization in the Features menu, in the Features menu, on its card of the home page, and in search results.
import { prompt } from '../../figures.ts';
import type { FeatureCard } from '../../types.ts';

/** The card. */
export const card: FeatureCard = {
  menuText: 'Say the same in fewer tokens',
  title: 'Prompt optimization: shorter prompts, same answers',
  description: `Your prompts, rewritten to use fewer tokens and mean the same. Typical token savings of ${prompt.typical}, and ${prompt.wellWritten} if prompts are already well written.`,
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
};
