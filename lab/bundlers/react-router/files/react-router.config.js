// Pages that are written at build time, or with SPA one empty page for all.
export default { ssr: false, prerender: process.env.SPA === undefined };
