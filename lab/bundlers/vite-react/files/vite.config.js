// A React app, its pages lazy.
import react from '@vitejs/plugin-react';

export default {
  plugins: [react()],
  build: { assetsInlineLimit: 0 },
};
