import part, { other } from "./parts/part.js";
import * as all from './parts/all-gone.js';
import "./parts/part.js?v=2#fragment";
export { other } from "./parts/other.js";
export * from "./parts/other-gone.js";
export * as named from "./parts/other.js";

// import "./in-a-comment.js";
const text = 'import "./in-a-text.js"';
const template = `./parts/part.js`;
import(`./parts/late.js`);
import(template);
import("./parts/" + "late-gone.js");
import(`./parts/${all}.js`);
object.import("./no-import.js");
import("https://elsewhere.example/x.js");
document.querySelector("button").onclick = () => import("./parts/click-gone.js");
