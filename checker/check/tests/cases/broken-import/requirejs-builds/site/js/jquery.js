define("jquery", [], function () {})
