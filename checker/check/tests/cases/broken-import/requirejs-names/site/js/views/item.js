define(function (require) { require("./gone-item"); require(["../app"]); });
