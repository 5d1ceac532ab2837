onconnect = () => import("./shared-late-gone.js");
