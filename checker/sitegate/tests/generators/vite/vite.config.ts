import { defineConfig } from 'vite'
import tides from './tides'

export default defineConfig({
  base: '/app/',
  plugins: [tides({ base: '/of-a-plugin/' })],
  build: {
    outDir: './www',
  },
})
