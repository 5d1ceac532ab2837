(function (_) { register(_) })({ "521ceaf0": function (module, exports) { exports.default = "/photo.3fea797d-3d2467.svg"; } });
