import "./b.js";
import "./gone.js";
