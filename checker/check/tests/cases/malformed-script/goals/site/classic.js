var await = 1, yield = 2;
import("./part.js");
