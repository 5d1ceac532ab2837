import { l as line } from './page-ADaEo_hM.js';
import { s as shade } from './shade-BF10wbBB.js';

// A lazy piece that shares a module with another.

const open = () => line(`The panel is ${shade(3)}`);

export { open };
//# sourceMappingURL=panel-CvtR4W_P.js.map
