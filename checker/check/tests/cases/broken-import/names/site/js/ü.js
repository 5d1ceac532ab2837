import "./a b.js";
import "./ä-gone.js";
