console.info(1);
//# sourceMappingURL=gone.js.map
