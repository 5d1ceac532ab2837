// The home page.
import { Band } from '#components/Band.tsx';
import { BenefitLedger } from '#components/BenefitLedger.tsx';
import { Closing } from '#components/Closing.tsx';
import { FeatureCards } from '#components/FeatureCards.tsx';
import { Hero } from '#components/Hero.tsx';
import { How } from '#components/How.tsx';
import { OwnBill } from '#components/OwnBill.tsx';
import { OwnBillProvider } from '#components/OwnBillState.tsx';
import { SectionHead } from '#components/SectionHead.tsx';
import { Testimonials } from '#components/Testimonials.tsx';
import { home } from '#content/pages/home.ts';

/** The sections in their order. */
export function Home() {
  return (
    <OwnBillProvider content={home.benefits.own}>
      <Hero content={home.hero} jump="how-it-works" choices={home.benefits.own.choices} />
      <Band id="how-it-works" deep>
        <SectionHead intro={home.how} />
        <How how={home.how} />
      </Band>
      <Band id="benefits">
        <OwnBill content={home.benefits.own} label={home.benefits.label} />
        <h2>{home.benefits.title}</h2>
        <BenefitLedger items={home.benefits.items} />
      </Band>
      <Band id="features" deep>
        <SectionHead intro={home.features} />
        <FeatureCards />
      </Band>
      <Band id="testimonials">
        <SectionHead intro={home.testimonials} />
        <Testimonials items={home.testimonials.items} />
      </Band>
      <Closing content={home.closing} />
    </OwnBillProvider>
  );
}
