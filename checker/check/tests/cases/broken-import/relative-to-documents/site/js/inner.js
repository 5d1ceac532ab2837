new Worker("of-docs.js");
new Worker("worker.js");
