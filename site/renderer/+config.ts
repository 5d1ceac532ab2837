// Vike's settings: everything is exported as HTML, and no page carries vike's own client.
import type { Config } from 'vike/types';

export default {
  prerender: true,
  clientRouting: false,
  // A page that the browser never loads as a module is plain HTML; pages/interactive brings a client of its own.
  meta: { Page: { env: { server: true, client: false } } },
} satisfies Config;
