// Writes the other files of the site: sitemap, robots.txt, manifest, security.txt, icons and share images.
import type { Plugin } from 'vite';
import { routes } from '../content/routes.ts';
import type { Settings } from '../content/types.ts';
import { colors } from '../styles/tokens.ts';
import { icon, iconSizes } from './icon.ts';
import { shareImage } from './share-image.ts';
import { drawShareImages } from './share-drawing.tsx';

/** Returns the sitemap with all pages of the route table. */
export function sitemap(settings: Settings): string {
  const entries = routes.map(({ path }) => `  <url><loc>${settings.origin}${path}</loc></url>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</urlset>\n`;
}

const robots = (settings: Settings): string => `User-agent: *\nAllow: /\n\nSitemap: ${settings.origin}/sitemap.xml\n`;

const security = (settings: Settings): string =>
  [
    `Contact: mailto:${settings.email.team}`,
    `Expires: ${settings.securityExpires}`,
    'Preferred-Languages: en',
    `Canonical: ${settings.origin}/.well-known/security.txt`,
    '',
  ].join('\n');

function manifest(settings: Settings): string {
  const icons = [
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
  ];
  return `${JSON.stringify({ name: settings.name, short_name: settings.name, start_url: '/', display: 'browser', background_color: colors.paper[0], theme_color: colors.paper[0], icons }, null, 2)}\n`;
}

/** Adds the files to the client build. */
export function siteFiles(settings: Settings): Plugin {
  return {
    name: 'site-files',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async generateBundle() {
      const emit = (fileName: string, source: string | Uint8Array) => this.emitFile({ type: 'asset', fileName, source });
      emit('sitemap.xml', sitemap(settings));
      emit('robots.txt', robots(settings));
      emit('site.webmanifest', manifest(settings));
      emit('.well-known/security.txt', security(settings));
      emit('favicon.svg', icon.svg);
      for (const { name, size } of iconSizes) emit(name, icon.png(size));
      for (const { route, png } of await drawShareImages(routes, settings, this.environment.config.root)) emit(shareImage.pathOf(route).slice(1), png);
    },
  };
}
