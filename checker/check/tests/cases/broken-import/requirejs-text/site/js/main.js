require.config({ paths: { template: "lib/text", pages: "../pages" }, map: { "*": { t: "text" } } });
require(["text!templates/list.html", "text!templates/gone.html", "view/app"], function () {});
require(["template!pages/start.txt!strip", "template!pages/gone.txt!strip", "t!gone.json", "css!gone.css"]);
require(["text!maybe.html"], function () {}, function () {});
define("text!bundled.html", [], function () { return "<p>"; });
