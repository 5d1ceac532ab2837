new Worker("worker.js");
new Worker("js/worker.js");
new Worker("gone.js");
