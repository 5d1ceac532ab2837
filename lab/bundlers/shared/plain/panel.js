// A lazy module with a style sheet and an image.
import './panel.css';
import { line } from './page.js';
import { shade } from './shade.js';

export function open() {
  line(`The panel is ${shade(3)}`).className = 'panel';
}
