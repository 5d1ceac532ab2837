// The opening of the home page: the promise on the left, the bill on the right.
import type { HomeContent } from '#content/types.ts';
import { Bill } from './Bill.tsx';
import { DemoLink } from './DemoLink.tsx';
import { JumpLink } from './JumpLink.tsx';
import { Label } from './Label.tsx';
import { PageLink } from './PageLink.tsx';
import { Slip } from './Slip.tsx';
import { Words } from './Words.tsx';
import styles from './Hero.module.css';

/** `jump` is the anchor of the link See How It Works. */
export function Hero({ content, jump }: { readonly content: HomeContent['hero']; readonly jump: string }) {
  return (
    <div className={`wrap ${styles.hero}`} data-opening="">
      <div className={styles.words}>
        <Label>{content.label}</Label>
        <h1>
          {content.title.map((line) => (
            <span key={line}>{line} </span>
          ))}
        </h1>
        <Slip />
        <p className={styles.text}><Words>{content.text}</Words></p>
        <div className={styles.actions}>
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
      <div className={styles.bill}>
        <Bill />
      </div>
    </div>
  );
}
