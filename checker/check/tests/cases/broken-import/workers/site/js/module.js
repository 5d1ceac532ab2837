import { part } from "./module-part.js";
import("./module-late-gone.js");
