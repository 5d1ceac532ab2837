// Every page is written at build time.
export const prerender = true;
