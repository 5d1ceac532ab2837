// Loaded by the classic worker.
globalThis.double = (n) => n * 2;
