// Settings of Vike: all pages are exported as HTML, without Vike's client.
import type { Config } from 'vike/types';

export default {
  prerender: true,
  clientRouting: false,
  // For Vike, all pages are plain HTML. +onRenderHtml.tsx adds the scripts of the interactive ones.
  meta: { Page: { env: { server: true, client: false } } },
} satisfies Config;
