// The words around every page: header, menus, footer and texts for screen readers.
import { features, pathOf } from '../features.ts';
import { routeOf } from '../routes.ts';
import { settings } from '../settings.ts';
import type { SiteLink } from '../types.ts';

const labelled = (path: string): SiteLink => ({ label: routeOf(path)?.label ?? path, href: path });

/** Header, footer and accessibility words. */
export const shell = {
  skip: 'Skip to content',
  newTab: ' (opens in a new tab)',
  homeLabel: `${settings.name} home`,
  mainNav: 'Main',
  phoneNav: 'Menu',
  footerNav: 'Footer',
  features: 'Features',
  menu: 'Menu',
  close: 'Close',
  waiting: 'Loading the page',
  demo: 'Book a Demo Call',
  example: 'See the example',
  next: 'The next line of the bill',
  call: {
    title: 'What happens on the call',
    steps: ['You show us last month’s bill.', 'We mark the lines that we would shrink first, and by how much.', 'You decide. The call obliges you to nothing.'],
  },
  anchors: [
    { label: 'Benefits', href: '/#benefits' },
    { label: 'Testimonials', href: '/#testimonials' },
  ],
  featureLinks: features.map((feature) => ({ label: feature.label, href: pathOf(feature), text: feature.menuText })),
  footer: {
    line: 'The same answers. A smaller bill.',
    product: { title: 'Product', links: [{ label: 'Features', href: '/#features' }, { label: 'Benefits', href: '/#benefits' }], demo: 'Request Demo' },
    company: { title: 'Company', demo: 'Contact' },
    legal: { title: 'Legal', links: [labelled('/privacy'), labelled('/terms')] },
    samples: 'Quotes on this site are samples and the people in them are invented. Figures are illustrative.',
    copyright: `© 2024 ${settings.name}. All rights reserved.`,
  },
} as const;
