// The second page shares a module and a lazy panel with the first.
import { button, line } from './page.js';

line('About, by script');
button('Panel', async () => (await import('./panel.js')).open());
button('Lonely', async () => (await import('./lonely.js')).say());
