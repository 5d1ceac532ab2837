import("./chunk-gone.js");
