// A prerendered Vike site; BASE mounts it below a path.
import react from '@vitejs/plugin-react';
import vike from 'vike/plugin';
import { defineConfig } from 'vite';

export default defineConfig({ base: process.env.BASE ?? '/', plugins: [vike(), react()] });
