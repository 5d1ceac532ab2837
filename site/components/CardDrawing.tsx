// Miniatures of what each feature does, for its card and its benefits. The example of the feature is larger.
import { Fragment } from 'react';
import type { CardDrawing as Drawing } from '#content/types.ts';
import styles from './CardDrawing.module.css';

/** Falling bars: the amount of each month, and what is saved above it. */
function Bars({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(...values);
  return (
    <svg className={styles.bars} viewBox={`0 0 ${values.length * 10} 30`} preserveAspectRatio="none">
      {values.map((value, index) => {
        const tall = (value / most) * 29;
        const place = { x: index * 10 + 1, width: 8 };
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the months have no other key
          <g key={index}>
            <rect className={styles.saved} {...place} y="1" height={29 - tall} />
            <rect {...place} y={30 - tall} height={tall} />
          </g>
        );
      })}
    </svg>
  );
}

function Content({ drawing }: { readonly drawing: Drawing }) {
  switch (drawing.kind) {
    case 'words':
      return drawing.parts.map(({ text, struck }) => (
        <Fragment key={text}>
          <span className={struck ? styles.struck : ''}>{text}</span>{' '}
        </Fragment>
      ));
    case 'prices':
      return drawing.rows.map(({ text, price }, index) => (
        <span key={text} className={`${styles.row} ${index > 0 ? styles.free : ''}`}>
          <span>{text}</span> <b>{price}</b>
        </span>
      ));
    case 'lanes':
      return drawing.rows.map(({ text, stop }) => (
        <span key={text} className={styles.row}>
          <span>{text}</span>
          <svg viewBox="0 0 120 12">
            <path d="M0 6h120" />
            <path className={styles.pen} d={`M0 6h${stop * 40 - 20}`} />
            {[20, 60, 100].map((x, index) => (
              <circle key={x} className={index < stop ? styles.pen : ''} cx={x} cy="6" r={index === stop - 1 ? 5 : 3} />
            ))}
          </svg>
        </span>
      ));
    case 'parts':
      return drawing.rows.map(({ text, value, from = 0, share, saved = false }) => (
        <span key={text} className={styles.part}>
          <span className={styles.row}>
            <span>{text}</span> <b>{value}</b>
          </span>
          <svg viewBox="0 0 100 4" preserveAspectRatio="none">
            <rect className={styles.whole} width="100" height="4" />
            <rect className={saved ? styles.gained : ''} x={from} width={share} height="4" />
          </svg>
        </span>
      ));
    case 'bars':
      return <Bars values={drawing.values} />;
  }
}

/** A drawing, which screen readers skip. */
export function CardDrawing({ drawing }: { readonly drawing: Drawing }) {
  return (
    <p className={`${styles.drawing} ${styles[drawing.kind] ?? ''}`} aria-hidden="true">
      <Content drawing={drawing} />
    </p>
  );
}
