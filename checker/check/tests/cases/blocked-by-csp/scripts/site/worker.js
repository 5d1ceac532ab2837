fetch("https://worker.test/x")
