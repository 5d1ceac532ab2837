import("./in-data-gone.js");
