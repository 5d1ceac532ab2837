// A ring chart of shares in SVG, with a title for screen readers.
import type { Tone } from '#content/types.ts';
import styles from './Ring.module.css';

interface RingProps {
  /** The text for screen readers. */
  readonly title: string;
  /** Shares in percent, clockwise from the top. */
  readonly shares: readonly number[];
  /** The meaning of the shares, which sets their color. */
  readonly tone: Tone;
}

/** The circumference is 100, so that a share is the length of its arc. */
export function Ring({ title, shares, tone }: RingProps) {
  const starts = shares.map((_, index) => shares.slice(0, index).reduce((sum, share) => sum + share, 0));
  return (
    <svg className={styles.ring} data-tone={tone} viewBox="0 0 36 36" role="img">
      <title>{title}</title>
      <circle className={styles.room} cx="18" cy="18" r="14.5" />
      {shares.map((share, index) => (
        <circle key={starts[index]} className={styles.arc} cx="18" cy="18" r="14.5" pathLength="100" strokeDasharray={`${Math.max(share - 1, 0.5)} 100`} strokeDashoffset={-(starts[index] ?? 0)} />
      ))}
    </svg>
  );
}
