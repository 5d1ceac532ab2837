define("older", [], {}); define("bundled", ["nobody-needs-it"], {})
