import "react";
import "./shared.js";
new Worker("/worker.js", { type: "module" });
