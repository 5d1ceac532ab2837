console.info(1);
//# sourceMappingURL=https://elsewhere.example/x.js.map
