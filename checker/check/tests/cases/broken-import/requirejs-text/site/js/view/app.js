define(["text!./app.html", "text!../gone-data.json", "text!bundled.html", "css!./gone"], function () {});
