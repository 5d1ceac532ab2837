define(["old/part", "old/only"], {})
