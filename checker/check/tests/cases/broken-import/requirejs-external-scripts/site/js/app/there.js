define(["./gone"], {})
