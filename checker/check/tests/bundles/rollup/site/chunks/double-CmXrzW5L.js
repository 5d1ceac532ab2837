// Loaded by the worker on request.
const double = (n) => n * 2;

export { double };
//# sourceMappingURL=double-CmXrzW5L.js.map
