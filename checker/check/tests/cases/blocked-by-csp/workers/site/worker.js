importScripts("lib.js", "https://cdn.test/lib.js"); fetch("https://api.test/x"); new Worker("nested.js");
