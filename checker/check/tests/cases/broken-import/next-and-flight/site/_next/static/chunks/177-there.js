import("./177-late-gone.js");
