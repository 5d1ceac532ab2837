define("app/view", ["app/model", "./gone"], {}); define("app/model", ["vendor/gone"], {}); define("unneeded", ["gone"], {});
