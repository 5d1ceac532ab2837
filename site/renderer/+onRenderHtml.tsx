// Renders a page to a whole HTML document.
import type { ComponentType } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { dangerouslySkipEscape, escapeInject } from 'vike/server';
import type { GlobalContextServer, PageContextServer } from 'vike/types';
import { routeOf } from '#content/routes.ts';
import { titleOf } from '#content/title.ts';
import { loadScreen } from '#pages/interactive/screens.ts';
import startSource from '#pages/interactive/start.js?raw';
import { Head } from './Head.tsx';
import { injectFilter } from './inject.ts';
import { featureStyles, hydrateEntry, scriptsOf } from './scripts.ts';

/** The inline script of interactive pages, without comments and indentation. */
const start = startSource.replaceAll(/^\s*(?:\/\/.*\n)?/gm, '').trim();

/** Returns the links to scripts in the head, and the script that loads them. While developing, there is no manifest. */
function scriptTags(path: string, manifest: GlobalContextServer['assetsManifest']): { late: string; starter: string } {
  if (manifest === null) return { late: '', starter: `<script type="module" src="/${hydrateEntry}"></script>` };
  // For no medium: browsers skip these links until start.js loads the scripts, but the check follows them.
  const links = scriptsOf(path, manifest).map((file) => `<link rel="modulepreload" href="/${file}" media="not all">`);
  return { late: links.join(''), starter: `<script>${start}</script>` };
}

/** Interactive pages keep React's markers for hydration; documents are plain. */
export async function onRenderHtml(pageContext: PageContextServer) {
  const route = routeOf(pageContext.urlPathname);
  const Page = pageContext.Page as ComponentType<{ path: string }>;
  let body: string;
  if (route?.kind === 'interactive') {
    await loadScreen(route.path);
    body = renderToString(<Page path={route.path} />);
  } else {
    body = renderToStaticMarkup(
      <StaticRouter location={pageContext.urlPathname}>
        <Page path={pageContext.urlPathname} />
      </StaticRouter>,
    );
  }
  // Printed documents have their title on every page.
  const running = route?.kind === 'document' ? escapeInject` data-title="${titleOf(route)}"` : '';
  const head = renderToStaticMarkup(<Head route={route} />);
  const { late, starter } = route?.kind === 'interactive' ? scriptTags(route.path, pageContext.globalContext.assetsManifest) : { late: '', starter: '' };
  // The home page names them only. The browser loads them when screens.ts enables them, for the first feature page.
  const manifest = pageContext.globalContext.assetsManifest;
  const laterStyles = route?.path === '/' && manifest !== null ? featureStyles(manifest) : [];
  const disabled = laterStyles.map((file) => `<link rel="stylesheet" href="${file}" disabled>`).join('');
  const documentHtml = escapeInject`<!DOCTYPE html><html lang="en"${running}><head><meta charset="utf-8">${dangerouslySkipEscape(head + disabled + late)}</head><body><div id="root">${dangerouslySkipEscape(body)}</div>${dangerouslySkipEscape(starter)}</body></html>`;
  return { documentHtml, injectFilter: injectFilter(body, laterStyles) };
}
