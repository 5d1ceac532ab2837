// Another lazy module, which shares a module with the panel and loads its own style sheet.
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
