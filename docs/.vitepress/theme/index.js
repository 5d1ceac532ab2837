// The theme of the documentation: that of VitePress, with its own type, colors and home page.
import '@fontsource-variable/instrument-sans/wdth.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import DefaultTheme from 'vitepress/theme-without-fonts';
import './colors.css';
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
