// Tests the sitemap and the structured data, both from the route table.
import { expect, test } from 'vitest';
import { routes } from '#content/routes.ts';
import settings from '#content/site.json' with { type: 'json' };
import { sitemap } from './site-files.ts';
import { structuredData } from './structured-data.ts';

function types(path: string): unknown[] {
  const route = routes.find((entry) => entry.path === path);
  return route === undefined ? [] : structuredData(route).map((thing) => thing['@type']);
}

test('the sitemap lists every page once, without trailing slashes', () => {
  const addresses = [...sitemap(settings).matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]);
  expect(addresses).toEqual(routes.map(({ path }) => settings.origin + path));
  expect(addresses.slice(1).some((address) => address?.endsWith('/'))).toBe(false);
});

test('feature pages describe a service, its questions and where they stand; home the organization', () => {
  expect(types('/')).toEqual(['Organization', 'Service']);
  expect(types('/smart-caching')).toEqual(['Service', 'FAQPage', 'BreadcrumbList']);
  expect(types('/terms')).toEqual(['BreadcrumbList']);
});
