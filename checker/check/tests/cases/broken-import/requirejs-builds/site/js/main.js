define("views/list", ["jquery", "./gone-item", "util"], function ($) { return $; });
define("util", [], {});
define("unneeded", ["gone-too"], {});
define("handled", ["maybe"], {});
define("main", ["views/list", "vendor/charts"], function () { require(["handled"], run, failed); });
