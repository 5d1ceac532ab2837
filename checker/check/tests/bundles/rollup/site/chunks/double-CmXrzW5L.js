// What the worker loads when it is asked.
const double = (n) => n * 2;

export { double };
//# sourceMappingURL=double-CmXrzW5L.js.map
