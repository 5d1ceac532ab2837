fetch("https://part.test/x");
