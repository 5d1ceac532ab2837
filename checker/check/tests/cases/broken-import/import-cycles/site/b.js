import "./c.js";
import "./gone.js";
