// Renders a page to a whole HTML document.
import type { ComponentType } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { dangerouslySkipEscape, escapeInject } from 'vike/server';
import type { PageContextServer } from 'vike/types';
import { routeOf } from '#content/routes.ts';
import { titleOf } from '#content/title.ts';
import { loadScreen } from '#pages/interactive/screens.ts';
import { Head } from './Head.tsx';
import { injectFilter } from './inject.ts';

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
  const documentHtml = escapeInject`<!DOCTYPE html><html lang="en"${running}><head>${dangerouslySkipEscape(head)}</head><body><div id="root">${dangerouslySkipEscape(body)}</div></body></html>`;
  return { documentHtml, injectFilter: injectFilter(body) };
}
