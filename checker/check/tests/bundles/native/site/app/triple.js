// Loaded by the classic worker, too.
globalThis.triple = (n) => n * 3;
