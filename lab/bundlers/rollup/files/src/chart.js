// Another lazy module, which shares a module with the panel, and looks for its style sheet itself.
import { line } from './page.js';
import { shade } from './shade.js';
import sheet from 'file:./chart.css';

export function draw() {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = sheet;
  document.head.append(link);
  line(`A chart, ${shade(5)}`).className = 'chart';
}
