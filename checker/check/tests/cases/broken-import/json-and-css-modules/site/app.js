import limits from "./limits.json" with { type: "json" };
import gone from "./gone.json" with { type: "json" };
import sheet from "./sheet.css" with { "type": "css" };
import("./late.json", { with: { type: "json" } });
import("./late.css", { with: { type: "css" } });
export { default as again } from "./limits.json" with { type: "json" };
