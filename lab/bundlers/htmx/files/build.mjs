// Copies the site, and the scripts of the packages.
import { cpSync, rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
cpSync('site', 'dist', { recursive: true });
cpSync('node_modules/htmx.org/dist/htmx.min.js', 'dist/vendor/htmx.min.js');
cpSync('node_modules/alpinejs/dist/cdn.min.js', 'dist/vendor/alpine.min.js');
