// é
const café = "déjà";
import("./part.js");
import("./latin-gone.js");
