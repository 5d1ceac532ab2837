const t = "í € ÿ"; import("./broken-gone.js");
