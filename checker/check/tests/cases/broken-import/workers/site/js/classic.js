importScripts("part.js", "./parts/more.js", "gone.js");
importScripts("/js/part.js");
importScripts(name);
new Worker("nested.js");
new Worker("nested-gone.js");
fetch("classic.json");
