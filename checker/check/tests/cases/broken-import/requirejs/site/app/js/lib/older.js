define("older", [], {}); define("bundled", ["gone-in-bundle"], {}); define("unneeded", ["nobody-needs-it"], {})
