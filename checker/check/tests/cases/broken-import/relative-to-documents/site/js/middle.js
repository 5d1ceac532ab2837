import "./inner.js";
