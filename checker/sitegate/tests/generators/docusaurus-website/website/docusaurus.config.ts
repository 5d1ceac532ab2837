import type {Config} from '@docusaurus/types';
import {tides} from './tides';

// A comment with a url: 'https://comment.example.com' in it.
const config: Config = {
  title: 'Harbour',
  // baseUrl: '/of-a-comment/',
  url: 'https://docs.harbour.example.com',
  baseUrl: '/',
  themeConfig: {navbar: {items: [{label: 'Tides', url: '/tides/'}]}},
  presets: [['classic', {docs: {url: 'https://of-a-preset.example.com'}, remarkPlugins: [tides]} satisfies object]],
};

export default config;
