// Settings of Vike: all pages are exported as HTML, without Vike's client.
import type { Config } from 'vike/types';

export default {
  prerender: true,
  clientRouting: false,
  // Pages without a client are plain HTML. pages/interactive has its own client.
  meta: { Page: { env: { server: true, client: false } } },
} satisfies Config;
