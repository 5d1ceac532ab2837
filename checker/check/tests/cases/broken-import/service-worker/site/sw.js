importScripts("sw-part.js", "sw-gone.js");
addEventListener("fetch", () => {});
