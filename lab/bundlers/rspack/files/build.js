// Builds the webpack family's sources with Rspack.
import { rspack } from '@rspack/core';

const page = (name, chunk) => new rspack.HtmlRspackPlugin({ filename: `${name}.html`, template: `src/${name}.html`, chunks: [chunk] });

const options = {
  mode: 'production',
  devtool: 'source-map',
  context: import.meta.dirname,
  entry: { main: './src/main.js', about: './src/about.js' },
  output: {
    path: `${import.meta.dirname}/dist`,
    filename: 'js/[name].[contenthash:8].js',
    chunkFilename: 'js/[name].[contenthash:8].js',
    assetModuleFilename: 'media/[name].[hash:8][ext]',
  },
  optimization: { splitChunks: { chunks: 'all', minSize: 0, cacheGroups: { default: { minChunks: 2, minSize: 0, reuseExistingChunk: true } } } },
  module: {
    rules: [
      { test: /\.css$/, use: [rspack.CssExtractRspackPlugin.loader, 'css-loader'], type: 'javascript/auto' },
      { test: /\.(png|svg|txt)$/, type: 'asset/resource' },
      { test: /\.wasm$/, type: 'webassembly/async' },
    ],
  },
  plugins: [page('index', 'main'), page('about', 'about'), new rspack.CssExtractRspackPlugin({ filename: 'css/[name].[contenthash:8].css' })],
};

rspack(options, (error, stats) => {
  if (error === null && !stats.hasErrors()) return;
  console.error(error ?? stats.toString());
  process.exitCode = 1;
});
