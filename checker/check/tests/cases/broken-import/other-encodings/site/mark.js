import "./part.js";
import "./mark-gone.js";
