// Another lazy module, which shares a module with the panel.
import './chart.css';
import { shade } from './shade';
import { line } from './page';

export function draw(): void {
  line(`A chart, ${shade(5)}`).className = 'chart';
}
