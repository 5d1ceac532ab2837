// A lazy piece with a style sheet and a picture in it.
import './panel.css';
import { line } from './page.js';
import { shade } from './shade.js';

export function open() {
  line(`The panel is ${shade(3)}`).className = 'panel';
}
