// The words of the header and the menus, and texts for screen readers. For the rest of the frame, see frame.ts.
import { features, pathOf } from '../features.ts';
import { settings } from '../settings.ts';

/** Header and accessibility words. */
export const shell = {
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
  featureLinks: features.map((feature) => ({ label: feature.label, href: pathOf(feature), text: feature.menuText })),
} as const;
