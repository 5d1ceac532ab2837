// Another lazy module, which shares a module with the panel.
import './chart.css';
import { line } from './page.js';
import { shade } from './shade.js';

export function draw() {
  line(`A chart, ${shade(5)}`).className = 'chart';
}
