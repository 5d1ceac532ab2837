// What the classic worker loads.
globalThis.double = (n) => n * 2;
