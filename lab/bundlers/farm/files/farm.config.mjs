// A React app with lazy pages.
export default {
  plugins: ['@farmfe/plugin-react'],
  compilation: { persistentCache: false },
};
