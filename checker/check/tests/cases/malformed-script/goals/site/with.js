with (document) { import("./part.js"); }
var octal = 010;
import("./with-gone.js");
