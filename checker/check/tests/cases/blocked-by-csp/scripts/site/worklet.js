new AudioContext().audioWorklet.addModule("/own.js"); new AudioContext().audioWorklet.addModule("https://cdn.test/worklet.js");
new Worker("/blocked-worker.js");
