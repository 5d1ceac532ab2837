import("./nested-late.js");
postMessage(1);
