import "./client.js";
import "./panel-gone.js";
export default 1;
