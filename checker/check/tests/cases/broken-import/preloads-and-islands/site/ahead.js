import("./ahead-gone.js");
