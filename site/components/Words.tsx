// Running text whose figures stay whole: `30-50%`, `2 minutes` and `SOC 2` never break over two lines.
import { Fragment } from 'react';

const figure = /(\$?\d[\d,.]*(?:-\d+)?(?:%| minutes?| seconds?)?|SOC 2)/;

/** The text as it is, with each figure of more than one part in a box of its own. */
export function Words({ children }: { readonly children: string }) {
  // Split by one group: every second part is a figure.
  return children.split(figure).map((part, index) => {
    const key = `${index}${part}`;
    return index % 2 === 1 && /[- ]/.test(part) ? (
      <span key={key} className="together">
        {part}
      </span>
    ) : (
      <Fragment key={key}>{part}</Fragment>
    );
  });
}
