// The drawing of the feature's card and of its first benefit.
import type { CardDrawing } from '../../types.ts';

/** The drawing. */
export const drawing: CardDrawing = {
  kind: 'lanes',
  rows: [
    { text: 'Simple', stop: 1 },
    { text: 'Medium', stop: 2 },
    { text: 'Complex', stop: 3 },
  ],
};
