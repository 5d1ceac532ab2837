// A lazy module with a style sheet and an image.
import './panel.css';
import { shade } from './shade';
import { line } from './page';

export function open(): void {
  const panel = line(`The panel is ${shade(3)}`);
  panel.className = 'panel';
}
