define(["shop", "shop/cart", "start"], {})
