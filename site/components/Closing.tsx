// The closing call to action: a red block with a torn edge at the end of the page, and what happens on the call.
import { pathOf } from '#content/features.ts';
import { money } from '#content/money.ts';
import { frame } from '#content/pages/frame.ts';
import type { ClosingCall, Feature } from '#content/types.ts';
import { Arrow } from './Arrow.tsx';
import { DemoLink } from './DemoLink.tsx';
import { PageLink } from './PageLink.tsx';
import styles from './Closing.module.css';

interface ClosingProps {
  readonly content: ClosingCall;
  /** The name of the section, on feature pages. */
  readonly part?: string;
  /** The feature of the next line of the bill. */
  readonly next?: Feature | undefined;
}

/** Text, demo button, and the three steps of the call. */
export function Closing({ content, part, next }: ClosingProps) {
  return (
    <section className={styles.closing} data-part={part} data-closing="">
      <div className={`wrap ${styles.row}`}>
        <h2>{content.title}</h2>
        <div className={styles.side}>
          <p>{content.text}</p>
          <DemoLink look="onPen">{content.button}</DemoLink>
        </div>
        <div className={styles.call}>
          <h3>{frame.call.title}</h3>
          <ol>
            {frame.call.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
        {next !== undefined && (
          <p className={styles.next}>
            {frame.next}:{' '}
            <PageLink to={pathOf(next)}>
              {next.line.label} −{money(next.line.before - next.line.after)}
              <Arrow />
            </PageLink>
          </p>
        )}
      </div>
    </section>
  );
}
