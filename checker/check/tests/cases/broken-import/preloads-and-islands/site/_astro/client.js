export default () => import("./client-gone.js");
