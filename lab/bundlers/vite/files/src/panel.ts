// A lazy piece with a style sheet and a picture in it.
import './panel.css';
import { shade } from './shade';
import { line } from './page';

export function open(): void {
  const panel = line(`The panel is ${shade(3)}`);
  panel.className = 'panel';
}
