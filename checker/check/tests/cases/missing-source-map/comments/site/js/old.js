console.info(1);
//@ sourceMappingURL=/maps/old.js.map
