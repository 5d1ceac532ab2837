import "./here.js";
new Worker("worker.js");
new Worker("/worker.js");
