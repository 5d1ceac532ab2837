import "../part.js";
import "../../app.js";
import "../deep-gone.js";
