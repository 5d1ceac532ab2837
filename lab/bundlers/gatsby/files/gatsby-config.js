// A small Gatsby site; --prefix-paths mounts it below a path.
module.exports = { jsxRuntime: 'automatic', pathPrefix: '/sub', trailingSlash: 'always', siteMetadata: { title: 'Harbour' } };
