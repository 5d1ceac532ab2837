// Settings of all pages.
import vikeReact from 'vike-react/config';

export default {
  extends: [vikeReact],
  prerender: true,
  trailingSlash: true,
  lang: 'en',
  title: 'Harbour',
  description: 'A small site about a harbour.',
};
