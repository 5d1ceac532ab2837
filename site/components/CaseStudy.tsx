// The case study of a feature page: the story, and its figures with the old ones struck.
import type { FeatureContent } from '#content/types.ts';
import { Instead, Struck } from './Strike.tsx';
import { Words } from './Words.tsx';
import styles from './CaseStudy.module.css';

/** Story and figures. */
export function CaseStudy({ content }: { readonly content: FeatureContent['caseStudy'] }) {
  return (
    <div className={styles.study}>
      <div className={styles.story}>
        {content.paragraphs.map((paragraph) => (
          <p key={paragraph}><Words>{paragraph}</Words></p>
        ))}
      </div>
      <dl className={styles.figures}>
        {content.figures.map((figure) => (
          <div key={figure.label}>
            <dt>{figure.label}</dt>
            <dd>
              {figure.was !== undefined && <Struck>{figure.was}</Struck>} <Instead>{figure.now}</Instead>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
