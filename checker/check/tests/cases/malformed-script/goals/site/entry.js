import "./broken-part.js";
