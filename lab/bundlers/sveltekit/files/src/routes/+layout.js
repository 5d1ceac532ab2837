// All pages are prerendered.
export const prerender = true;
