<!-- hidden from old browsers
import("./html-comment-gone.js");
--> the end
