define(["require"], function (own) { own(["./item"]); require(["./app"]); require(["./x"]); });
