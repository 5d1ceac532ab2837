new Worker("worker.js"); new Worker("free.js"); new Worker("module.js", { type: "module" });
if (typeof importScripts === "function") importScripts("https://cdn.test/never.js");
