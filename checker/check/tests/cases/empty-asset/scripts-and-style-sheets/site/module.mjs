import "./part.js";
