define(["require", "./near"], function (load) { load(["./late"]); load(["./lazy-gone"]); });
