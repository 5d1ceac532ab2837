fetch("/data.json"); fetch("https://lib.test/x");
