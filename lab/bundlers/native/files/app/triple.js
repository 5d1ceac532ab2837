// Also loaded by the classic worker.
globalThis.triple = (n) => n * 3;
