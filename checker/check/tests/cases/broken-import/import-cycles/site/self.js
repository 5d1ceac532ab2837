import "./self.js";
import "./self.js?v=2";
import "./self-gone.js";
