import("./gone4.js")
