// Renders a page to a whole HTML document.
import type { ComponentType } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { dangerouslySkipEscape, escapeInject } from 'vike/server';
import type { GlobalContextServer, PageContextServer } from 'vike/types';
import { minifySync } from 'vite';
import { Here } from '#components/Here.ts';
import { routeOf } from '#content/routes.ts';
import { titleOf } from '#content/title.ts';
import startSource from '#pages/interactive/start.js?raw';
import { Head } from './Head.tsx';
import { injectFilter } from './inject.ts';
import { featureStyles, scripts, scriptsOf } from './scripts.ts';
import { speculationRulesOf } from './speculation-rules.ts';

/** The inline script of interactive pages. */
const start = minifySync('start.js', startSource).code.trim();

/** Returns what comes last in the head of an interactive page. While developing, there is no manifest. */
function headEnd(path: string, manifest: GlobalContextServer['assetsManifest']): string {
  // The first frame waits for the section after the opening: a transition carries only the lines of the bill that have arrived.
  const expected = `<link rel="expect" href="#${path === '/' ? 'how-it-works' : 'example'}" blocking="render">`;
  const rules = `${expected}<script type="speculationrules">${speculationRulesOf(path)}</script>`;
  if (manifest === null) return `${rules}<script>${start}</script><script type="module" src="/${scripts[path]}"></script>`;
  // For no medium: browsers skip these links until start.js loads the scripts, but the check follows them.
  const links = scriptsOf(path, manifest).map((file) => `<link rel="modulepreload" href="/${file}" media="not all">`);
  return `${links.join('')}${rules}<script>${start}</script>`;
}

/** Interactive pages keep React's markers for hydration; documents are plain. */
export async function onRenderHtml(pageContext: PageContextServer) {
  const route = routeOf(pageContext.urlPathname);
  const Page = pageContext.Page as ComponentType<{ path: string }>;
  const isInteractive = route?.kind === 'interactive';
  const path = route?.path ?? pageContext.urlPathname;
  const body = (isInteractive ? renderToString : renderToStaticMarkup)(
    <Here value={route?.path}>
      <Page path={path} />
    </Here>,
  );
  // Printed documents have their title on every page.
  const running = route?.kind === 'document' ? escapeInject` data-title="${titleOf(route)}"` : '';
  const head = renderToStaticMarkup(<Head route={route} />);
  const manifest = pageContext.globalContext.assetsManifest;
  const tags = isInteractive ? headEnd(route.path, manifest) : '';
  // The home page fetches them when it is idle, so that the next page only needs its HTML.
  const later = route?.path === '/' && manifest !== null ? featureStyles(manifest) : [];
  const prefetch = later.map((file) => `<link rel="prefetch" href="/${file}" as="style">`).join('');
  const documentHtml = escapeInject`<!DOCTYPE html><html lang="en"${running}><head><meta charset="utf-8">${dangerouslySkipEscape(head + prefetch + tags)}</head><body><div id="root">${dangerouslySkipEscape(body)}</div></body></html>`;
  return { documentHtml, injectFilter: injectFilter(body, later) };
}
