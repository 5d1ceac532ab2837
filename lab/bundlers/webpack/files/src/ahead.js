// A lazy module that is fetched ahead, when the browser has nothing else to do.
import { line } from './page.js';

export const say = () => line('Fetched ahead');
