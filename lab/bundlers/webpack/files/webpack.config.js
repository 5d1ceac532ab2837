// Two pages. Environment variables select the variant.
import HtmlWebpackPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';

const { PUBLIC_PATH = 'auto', MODULE = '', PLAIN, OUT = 'dist' } = process.env;
const module = MODULE !== '';
// A public path relative to the page works for workers and style sheets only if all files are in one folder.
const folders = PUBLIC_PATH === '' ? ['', ''] : ['js/', 'css/'];
const [js, css] = folders.map((folder) => `${folder}[name]${PLAIN === undefined ? '.[contenthash:8]' : ''}`);

const page = (name, chunk) =>
  new HtmlWebpackPlugin({ filename: `${name}.html`, template: `src/${name}.html`, chunks: [chunk], scriptLoading: module ? 'module' : 'defer' });

export default {
  mode: 'production',
  devtool: 'source-map',
  entry: { main: './src/main.js', about: './src/about.js' },
  output: {
    path: `${import.meta.dirname}/${OUT}`,
    publicPath: PUBLIC_PATH,
    filename: `${js}.js`,
    chunkFilename: `${js}.js`,
    assetModuleFilename: 'media/[name].[hash:8][ext]',
    module,
    chunkFormat: module ? 'module' : 'array-push',
  },
  experiments: { asyncWebAssembly: true, outputModule: module },
  optimization: {
    runtimeChunk: PLAIN === undefined ? false : 'single',
    splitChunks: { chunks: 'all', minSize: 0, minSizeReduction: 0, cacheGroups: { default: { minChunks: 2, minSize: 0, reuseExistingChunk: true } } },
  },
  module: {
    rules: [
      { test: /\.css$/, use: [MiniCssExtractPlugin.loader, 'css-loader'] },
      { test: /\.(png|svg|txt)$/, type: 'asset/resource' },
    ],
  },
  plugins: [page('index', 'main'), page('about', 'about'), new MiniCssExtractPlugin({ filename: `${css}.css` })],
};
