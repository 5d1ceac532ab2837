var t = "•\"; var s = "ƒ\";
