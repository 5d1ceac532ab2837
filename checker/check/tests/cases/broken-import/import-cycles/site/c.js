import "./a.js";
import "./c.js";
import("./b.js");
