// A part of a page that React hydrates. The rest of the page stays the HTML of the export, and needs no code.
import type { ReactNode } from 'react';

/** `name` is the key of the children in the islands of pages/interactive/hydrate.tsx. The element has no box. */
export function Island({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return <div data-island={name}>{children}</div>;
}
