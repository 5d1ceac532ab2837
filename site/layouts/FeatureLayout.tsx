// The eight parts of all feature pages, in order. Only the example differs.
import { Band } from '#components/Band.tsx';
import { BenefitGrid } from '#components/BenefitGrid.tsx';
import { CaseStudy } from '#components/CaseStudy.tsx';
import { Closing } from '#components/Closing.tsx';
import { Faq } from '#components/Faq.tsx';
import { Example } from '#components/Example.tsx';
import { FeatureHero } from '#components/FeatureHero.tsx';
import { Quote } from '#components/Quote.tsx';
import { SectionHead } from '#components/SectionHead.tsx';
import { Steps } from '#components/Steps.tsx';
import { features } from '#content/features.ts';
import type { Feature, FeaturePage } from '#content/types.ts';

/** A feature page. */
export function FeatureLayout({ feature, page: { content, example } }: { readonly feature: Feature; readonly page: FeaturePage }) {
  const { testimonial } = content;
  return (
    <>
      <FeatureHero feature={feature} hero={content.hero} />
      <Band id="example" part="example" deep>
        <SectionHead intro={content.example} />
        <Example content={example} />
      </Band>
      <Band part="how-it-works">
        <SectionHead intro={content.how} />
        <Steps steps={content.how.steps} />
      </Band>
      <Band part="benefits">
        <SectionHead intro={content.benefits} />
        <BenefitGrid items={content.benefits.items} />
      </Band>
      <Band part="case-study" deep>
        <SectionHead intro={content.caseStudy} />
        <CaseStudy content={content.caseStudy} />
      </Band>
      <Band part="testimonial">
        <h2 className="visually-hidden">{testimonial.label}</h2>
        <Quote item={testimonial.item} label={testimonial.label} />
      </Band>
      <Band part="faq" split>
        <SectionHead intro={content.faq} />
        <Faq items={content.faq.items} />
      </Band>
      <Closing content={content.demo} part="demo" next={features[(features.indexOf(feature) + 1) % features.length]} />
    </>
  );
}
