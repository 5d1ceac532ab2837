var names = [];
require.config({
  paths: { jquery: "lib/jquery-1.12.4.min", bootstrap: "lib/bootstrap.min", plugin: "lib/plugin" },
  shim: {
    bootstrap: { deps: ["jquery"], exports: "bootstrap" },
    plugin: ["bootstrap", "./plugin-core"],
    unused: ["gone"],
    bundled: ["gone-too"],
    computed: { deps: names },
  },
});
define("bundled", [], {});
require(["plugin", "bundled"], function () { jQuery("#m").modal(); });
