// The theme as it comes, with a component that all pages may use.
import DefaultTheme from 'vitepress/theme';
import Counter from './Counter.vue';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Counter', Counter);
  },
};
