import "./whole-gone.js";
