console.info(1);
/*# sourceMappingURL=block.js.map */
