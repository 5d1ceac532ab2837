require.config({ map: { "*": { css: "lib/css", old: "new" }, legacy: { old: "older" } }, shim: {} });
require(["app/gone", "css!style", "old/part", "old/gone", "legacy/app"], function () {});
