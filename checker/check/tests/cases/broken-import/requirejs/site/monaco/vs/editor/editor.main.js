define("vs/editor/editor.main", ["require", "exports", "vs/base", "vs/css!x"], function () {})
