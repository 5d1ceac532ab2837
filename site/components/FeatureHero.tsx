// The opening of a feature page: the promise, the demo button, and the bill with this page's line struck.
import type { Feature, FeatureContent } from '#content/types.ts';
import { frame } from '#content/pages/frame.ts';
import { DemoLink } from './DemoLink.tsx';
import { FeatureBill } from './FeatureBill.tsx';
import { JumpLink } from './JumpLink.tsx';
import { Label } from './Label.tsx';
import { LineSlip } from './LineSlip.tsx';
import { Words } from './Words.tsx';
import styles from './FeatureHero.module.css';
import opening from './opening.module.css';

/** Hero of a feature page. */
export function FeatureHero({ feature, hero }: { readonly feature: Feature; readonly hero: FeatureContent['hero'] }) {
  return (
    <section data-part="hero" data-opening="" className={`wrap ${styles.hero}`}>
      <div className={styles.words}>
        <Label>{hero.label}</Label>
        <h1>{hero.title}</h1>
        <LineSlip line={feature.line} />
        <p className={styles.text}><Words>{hero.text}</Words></p>
        <div className={opening.actions}>
          <DemoLink>{hero.demo}</DemoLink>
          <JumpLink anchor="example">{frame.example}</JumpLink>
        </div>
      </div>
      <div>
        <FeatureBill only={feature} />
      </div>
    </section>
  );
}
