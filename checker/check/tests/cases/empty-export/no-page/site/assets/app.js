console.info("nobody runs me");
