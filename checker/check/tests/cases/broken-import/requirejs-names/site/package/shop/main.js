define(["./cart", "./gone"], {})
