// The head of a page: title, description, canonical address, cards for sharing, icons and structured data.
import { notFound } from '#content/pages/not-found.ts';
import type { Route } from '#content/routes.ts';
import { settings } from '#content/settings.ts';
import { titleOf } from '#content/title.ts';
import { colors } from '#styles/tokens.ts';
import { descriptionOf } from './description.ts';
import { shareImage } from './share-image.ts';
import { structuredData } from './structured-data.ts';

function PageMeta({ route }: { readonly route: Route }) {
  const address = settings.origin + route.path;
  const description = descriptionOf(route);
  const image = settings.origin + shareImage.pathOf(route);
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={settings.name} />
      <meta property="og:title" content={titleOf(route)} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content={String(shareImage.width)} />
      <meta property="og:image:height" content={String(shareImage.height)} />
      <meta property="og:image:alt" content={titleOf(route)} />
      {/* X reads the other values from Open Graph. */}
      <meta name="twitter:card" content="summary_large_image" />
      {structuredData(route).map((data) => (
        <script key={String(data['@type'])} type="application/ld+json" dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }} />
      ))}
    </>
  );
}

/** Without a route, this is the head of the page for unknown paths. */
export function Head({ route }: { readonly route: Route | undefined }) {
  return (
    <>
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <title>{titleOf(route)}</title>
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content={colors.paper[0]} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={colors.paper[1]} media="(prefers-color-scheme: dark)" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="icon" href="/favicon-48.png" type="image/png" sizes="48x48" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/site.webmanifest" />
      {route !== undefined && <PageMeta route={route} />}
      {route === undefined && (
        <>
          <meta name="description" content={notFound.description} />
          <meta name="robots" content="noindex" />
          {/* The contract states the hash, so that the log cannot be lost. The file has no line end, which Git may change. */}
          <script src="/404.js" integrity="sha256-MLKwHswMkFFSqQs4l7+46s6OxtPWoEFhyVxk6Q+c+O0=" defer />
        </>
      )}
    </>
  );
}
