(function (f) { typeof define === "function" && define.amd ? define(["lib/tables", "jquery"], f) : f(require("node-only")); })(function () {})
