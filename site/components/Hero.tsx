// The opening of the home page: the promise on the left, the bill on the right.
import type { ReactNode } from 'react';
import type { HomeContent } from '#content/types.ts';
import { DemoLink } from './DemoLink.tsx';
import { JumpLink } from './JumpLink.tsx';
import { Label } from './Label.tsx';
import { PageLink } from './PageLink.tsx';
import { Words } from './Words.tsx';
import styles from './Hero.module.css';
import opening from './opening.module.css';

interface HeroProps {
  readonly content: HomeContent['hero'];
  /** The anchor of the link See How It Works. */
  readonly jump: string;
  /** The bill of phones, and that of wide screens. */
  readonly slip: ReactNode;
  readonly bill: ReactNode;
}

/** Words, buttons and figures, with a bill next to them or among them. */
export function Hero({ content, jump, slip, bill }: HeroProps) {
  return (
    <div className={`wrap ${styles.hero}`} data-opening="">
      <div className={styles.words}>
        <Label>{content.label}</Label>
        <h1>
          {content.title.map((line) => (
            <span key={line}>{line} </span>
          ))}
        </h1>
        <div data-slip="" className={styles.phone}>
          {slip}
        </div>
        <p className={styles.text}><Words>{content.text}</Words></p>
        <div className={opening.actions}>
          <DemoLink>{content.demo}</DemoLink>
          <JumpLink anchor={jump}>{content.how}</JumpLink>
        </div>
        <dl className={styles.figures}>
          {content.figures.map((figure) => (
            <div key={figure.label}>
              <dt>{figure.label}</dt>
              <dd>
                <PageLink to={content.figuresNote}><Words>{figure.value}</Words></PageLink>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <div data-receipt="" className={styles.bill}>
        {bill}
      </div>
    </div>
  );
}
