define([], {})
