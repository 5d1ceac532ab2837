// The sample bill on the page of a feature.
import { billLines, billTotal, billWords } from '#content/bill.ts';
import { features } from '#content/features.ts';
import { dollars } from '#content/money.ts';
import type { Feature } from '#content/types.ts';
import { LinkedLabel, Line, Sheet } from './BillSheet.tsx';
import { Circled } from './Circled.tsx';
import styles from './Bill.module.css';

/** The bill, with only the line of the feature struck. */
export function FeatureBill({ only }: { readonly only: Feature }) {
  const longest = Math.max(...billLines.map(({ before }) => before));
  return (
    <Sheet carried="" period={billWords.period}>
      <ul className={styles.lines}>
        {features.map((feature) => {
          const { slug, line } = feature;
          const label = feature === only ? <strong className={styles.label}>{line.label}</strong> : <LinkedLabel feature={feature} line={line} />;
          return <Line key={slug} label={label} line={line} longest={longest} struck={feature === only} amount={dollars} />;
        })}
      </ul>
      <p className={styles.total}>
        <span>{billWords.saved}</span>{' '}
        <Circled className={styles.sum} instead={false}>
          {dollars(billTotal([only.line]).saved)}
        </Circled>
      </p>
    </Sheet>
  );
}
