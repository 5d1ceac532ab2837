console.info(1);
//# sourceMappingURL=there.js.map
