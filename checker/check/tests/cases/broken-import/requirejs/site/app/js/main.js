require.config({ paths: { lib: "lib/v2", text: "lib/text", old: ["lib/old", "lib/older"] } });
require(["config"], function () { require(["app", "lib/tables", "gone"]); });
require(["maybe"], function () {}, function (error) { console.info(error); });
