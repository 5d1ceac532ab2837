import "./preloaded-part-gone.js";
