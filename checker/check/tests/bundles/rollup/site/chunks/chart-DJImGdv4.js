import { l as line } from './page-ADaEo_hM.js';
import { s as shade } from './shade-BF10wbBB.js';

var sheet = new URL('../assets/chart-DS_FNC8A.css', import.meta.url).href;

// Another lazy piece, which shares a module with the panel, and looks for its style sheet itself.

function draw() {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = sheet;
  document.head.append(link);
  line(`A chart, ${shade(5)}`).className = 'chart';
}

export { draw };
//# sourceMappingURL=chart-DJImGdv4.js.map
