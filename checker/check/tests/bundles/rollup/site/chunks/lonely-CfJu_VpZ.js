import { l as line } from './page-ADaEo_hM.js';

// A lazy piece of the second page alone, without a style sheet.

const say = () => line('Nobody else loads this');

export { say };
//# sourceMappingURL=lonely-CfJu_VpZ.js.map
