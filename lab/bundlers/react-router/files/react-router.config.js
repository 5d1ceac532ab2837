// Prerendered pages, or with SPA one empty page for all paths.
export default { ssr: false, prerender: process.env.SPA === undefined };
