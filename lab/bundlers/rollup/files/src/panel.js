// A lazy module that shares a module with another.
import { line } from './page.js';
import { shade } from './shade.js';

export const open = () => line(`The panel is ${shade(3)}`);
