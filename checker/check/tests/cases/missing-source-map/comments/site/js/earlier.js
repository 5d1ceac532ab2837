//# sourceMappingURL=earlier.js.map
console.info(1);
// The last comment is another one.
