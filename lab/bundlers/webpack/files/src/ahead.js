// A lazy module that is prefetched when the browser is idle.
import { line } from './page.js';

export const say = () => line('Fetched ahead');
