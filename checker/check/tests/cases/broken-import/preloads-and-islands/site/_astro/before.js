import "./before-gone.js";
