// The words around every page: header, menus, footer, closing call, and links in the page.
import { featureCards } from '../feature-cards.ts';
import { features, pathOf } from '../features.ts';
import { routeOf } from '../routes.ts';
import { settings } from '../settings.ts';
import type { SiteLink } from '../types.ts';

const labelled = (path: string): SiteLink => ({ label: routeOf(path)?.label ?? path, href: path });

/** No island has these words. */
export const frame = {
  newTab: ' (opens in a new tab)',
  homeLabel: `${settings.name} home`,
  mainNav: 'Main',
  phoneNav: 'Menu',
  features: 'Features',
  menu: 'Menu',
  close: 'Close',
  demo: 'Book a Demo Call',
  anchors: [
    { label: 'Benefits', href: '/#benefits' },
    { label: 'Testimonials', href: '/#testimonials' },
  ],
  featureLinks: features.map((feature) => ({ label: feature.label, href: pathOf(feature), text: featureCards[feature.slug].menuText })),
  skip: 'Skip to content',
  example: 'See the example',
  next: 'The next line of the bill',
  call: {
    title: 'What happens on the call',
    steps: ['You show us last month’s bill.', 'We mark the lines that we would shrink first, and by how much.', 'You decide. The call obliges you to nothing.'],
  },
  footer: {
    nav: 'Footer',
    line: 'The same answers. A smaller bill.',
    product: { title: 'Product', links: [{ label: 'Features', href: '/#features' }, { label: 'Benefits', href: '/#benefits' }], demo: 'Request Demo' },
    company: { title: 'Company', demo: 'Contact' },
    legal: { title: 'Legal', links: [labelled('/privacy'), labelled('/terms')] },
    samples: 'Quotes on this site are samples and the people in them are invented. Figures are illustrative.',
    copyright: `© 2024 ${settings.name}. All rights reserved.`,
  },
} as const;
