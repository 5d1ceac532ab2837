// What the classic worker loads, too.
globalThis.triple = (n) => n * 3;
