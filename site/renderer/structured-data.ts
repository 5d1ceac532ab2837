// Structured data for search engines. It only repeats content of the page: no ratings, no prices.
import { featurePages } from '#content/feature-pages.ts';
import { features, pathOf } from '#content/features.ts';
import { routeOf, type Route } from '#content/routes.ts';
import { settings } from '#content/settings.ts';
import type { FeatureContent } from '#content/types.ts';

type Thing = Readonly<Record<string, unknown>>;

const context = 'https://schema.org';
const pages = new Map(features.map((feature) => [pathOf(feature), featurePages[feature.slug].content]));
const organization = { '@type': 'Organization', name: settings.name, url: `${settings.origin}/` };

function breadcrumbs(route: Route): Thing {
  const home = routeOf('/');
  const trail = [home, route].filter((entry) => entry !== undefined);
  return {
    '@context': context,
    '@type': 'BreadcrumbList',
    itemListElement: trail.map((entry, index) => ({ '@type': 'ListItem', position: index + 1, name: entry.label, item: settings.origin + entry.path })),
  };
}

function service(route: Route): Thing {
  return {
    '@context': context,
    '@type': 'Service',
    name: route.path === '/' ? settings.name : `${settings.name}: ${route.label}`,
    description: route.description,
    serviceType: route.label,
    url: settings.origin + route.path,
    provider: organization,
  };
}

function questions(content: FeatureContent): Thing {
  return {
    '@context': context,
    '@type': 'FAQPage',
    mainEntity: content.faq.items.map((item) => ({ '@type': 'Question', name: item.title, acceptedAnswer: { '@type': 'Answer', text: item.text } })),
  };
}

/** The blocks of a page: organization and service at home, service and questions on feature pages, breadcrumbs on all but home. */
export function structuredData(route: Route): readonly Thing[] {
  if (route.path === '/') {
    const contact = { '@context': context, ...organization, email: settings.email.team, logo: `${settings.origin}/icon-512.png` };
    return [contact, { ...service(route), serviceType: 'AI cost reduction' }];
  }
  const content = pages.get(route.path);
  return content === undefined ? [breadcrumbs(route)] : [service(route), questions(content), breadcrumbs(route)];
}
