import { s as shade } from './shade-Nn0TKqEJ.js';
import { l as line } from './preload-helper-BTJQTseT.js';
function draw() {
  line(`A chart, ${shade(5)}`).className = `chart`;
}
export { draw };
