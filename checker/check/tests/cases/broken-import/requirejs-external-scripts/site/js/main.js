require(["app/start", "./near", "app/there"], function () {});
