// The home page.
import { Band } from '#components/Band.tsx';
import { BenefitLedger } from '#components/BenefitLedger.tsx';
import { Closing } from '#components/Closing.tsx';
import { FeatureCards } from '#components/FeatureCards.tsx';
import { Hero } from '#components/Hero.tsx';
import { How } from '#components/How.tsx';
import { Island } from '#components/Island.tsx';
import { OwnBill } from '#components/OwnBill.tsx';
import { SectionHead } from '#components/SectionHead.tsx';
import { Testimonials } from '#components/Testimonials.tsx';
import { home } from '#content/pages/home.ts';
import { homeIslands } from './home-islands.tsx';

const island = (name: keyof typeof homeIslands) => <Island name={name}>{homeIslands[name]}</Island>;

/** The sections in their order. */
export function Home() {
  return (
    <>
      <Hero content={home.hero} jump="how-it-works" slip={island('slip')} bill={island('bill')} />
      <Band id="how-it-works" deep>
        <SectionHead intro={home.how} />
        <How how={home.how} codeTabs={island('code-tabs')} />
      </Band>
      <Band id="benefits">
        <OwnBill desk={island('own-bill')} call={island('own-bill-call')} answer={island('own-bill-answer')} />
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
    </>
  );
}
