import("./in-noscript-gone.js");
