define(["require", "exports", "./views/list", "text!./views/list.html", "old", "bundled", "later", "missing/sub"],
  function (require) { require(["./views/lazy"]); });
