// A static export; BASE mounts it below a path.
export default {
  output: 'export',
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
  basePath: process.env.BASE ?? '',
  trailingSlash: true,
  images: { unoptimized: true },
};
