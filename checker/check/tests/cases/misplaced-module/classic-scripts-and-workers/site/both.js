import "./late.js";
