// The head of a section: a small label, the heading, and an introduction.
import type { SectionIntro } from '#content/types.ts';
import { Label } from './Label.tsx';
import { Words } from './Words.tsx';
import styles from './SectionHead.module.css';

/** Label, h2 and text. */
export function SectionHead({ intro }: { readonly intro: SectionIntro }) {
  return (
    <div className={styles.head}>
      <Label>{intro.label}</Label>
      <h2><Words>{intro.title}</Words></h2>
      {intro.text !== undefined && <p className={styles.text}><Words>{intro.text}</Words></p>}
    </div>
  );
}
