// The default theme, with a component for all pages.
import DefaultTheme from 'vitepress/theme';
import Counter from './Counter.vue';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Counter', Counter);
  },
};
