define(["./gone-view", "gone-widgets"], {})
