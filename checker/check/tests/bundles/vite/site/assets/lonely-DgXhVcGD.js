import { l as line } from './preload-helper-BTJQTseT.js';
const say = () => line(`Nobody else loads this`);
export { say };
