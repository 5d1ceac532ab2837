// A lazy piece that is reached by a prefix, and brings its style sheet by a link.
import { line } from 'page';
import { shade } from './shade.js';

export function draw() {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = new URL('../../styles/chart.css', import.meta.url).href;
  document.head.append(link);
  line(`A chart, ${shade(5)}`).className = 'chart';
}
