console.info("import.meta", import.meta.url);
