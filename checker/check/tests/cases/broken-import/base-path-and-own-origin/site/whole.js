import "./part.js";
import "./whole-gone.js";
