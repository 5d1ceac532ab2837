define(function (require) { var a = require("../app"), b = require("./gone-view"); })
