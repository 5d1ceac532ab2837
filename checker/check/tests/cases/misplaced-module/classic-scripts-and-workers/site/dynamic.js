import("./late.js");
const text = "export default 1";
