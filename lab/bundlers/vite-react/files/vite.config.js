// A React app with lazy pages.
import react from '@vitejs/plugin-react';

export default {
  plugins: [react()],
  build: { assetsInlineLimit: 0 },
};
