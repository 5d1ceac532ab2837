import("https://cdn.test/late.js")
