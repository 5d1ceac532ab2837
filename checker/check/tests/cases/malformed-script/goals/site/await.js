const part = await import("./part.js");
await import("./await-gone.js");
