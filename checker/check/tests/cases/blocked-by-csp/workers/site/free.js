fetch("https://free.test/x");
