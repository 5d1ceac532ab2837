import "./late.js";
new Worker("/worker.js");
new Worker("/module-worker.js", { type: "module" });
navigator.serviceWorker.register("/sw.js");
