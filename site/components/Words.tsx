// Text without line breaks in figures such as `30–50%`, `2 minutes` and `SOC 2`, and in `cost-effective`.
import { Fragment } from 'react';

const figure = /(\$?\d[\d,.]*(?:[-–]\d+)?(?:%| minutes?| seconds?| days)?|SOC 2|cost-effective)/;

/** The text, with each figure of several parts in an element without line breaks. */
export function Words({ children }: { readonly children: string }) {
  // Split by one group: every second part is a figure.
  return children.split(figure).map((part, index) => {
    const key = `${index}${part}`;
    return index % 2 === 1 && /[-– ]/.test(part) ? (
      <span key={key} className="together">
        {part}
      </span>
    ) : (
      <Fragment key={key}>{part}</Fragment>
    );
  });
}
