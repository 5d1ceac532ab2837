define(["./gone-near", "js/gone-too", "js/near"], function () {})
