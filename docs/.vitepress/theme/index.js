// The looks of the documentation: VitePress' own theme, with other type, colours and a home page.
import '@fontsource-variable/instrument-sans/wdth.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import DefaultTheme from 'vitepress/theme-without-fonts';
import './colours.css';
import './type.css';
import './line.css';
import './terminal.css';
import './home.css';
import Home from './Home.vue';

export default {
  extends: DefaultTheme,
  /** @param {{ app: { component(name: string, component: object): void } }} context */
  enhanceApp({ app }) {
    app.component('Home', Home);
  },
};
