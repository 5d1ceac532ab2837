import "./module-part.js";
