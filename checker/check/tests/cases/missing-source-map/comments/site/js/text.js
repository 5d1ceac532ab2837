console.info("//# sourceMappingURL=text.js.map");
