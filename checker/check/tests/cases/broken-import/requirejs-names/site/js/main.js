require(["./app", "./gone", "views/list", "/js/plain.js", "/js/gone.js"], function () {});
