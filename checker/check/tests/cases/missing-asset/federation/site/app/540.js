console.info("ready");
