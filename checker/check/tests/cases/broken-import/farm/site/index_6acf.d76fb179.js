(function (_) { register(_) })({ "9272216e": function (module, exports) { exports.default = "/logo.65749cac-054d1a.png"; } });
