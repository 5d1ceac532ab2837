import { s as shade } from './shade-Nn0TKqEJ.js';
import { l as line } from './preload-helper-BTJQTseT.js';
function open() {
  line(`The panel is ${shade(3)}`).className = `panel`;
}
export { open };
