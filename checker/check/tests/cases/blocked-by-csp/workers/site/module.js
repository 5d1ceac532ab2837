import "./part.js"; import("https://cdn.test/late.js");
