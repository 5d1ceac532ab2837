// A lazy module of the second page only, without a style sheet.
import { line } from './page.js';

export const say = () => line('Nobody else loads this');
