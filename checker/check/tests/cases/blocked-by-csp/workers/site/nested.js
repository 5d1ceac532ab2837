fetch("https://nested.test/x");
