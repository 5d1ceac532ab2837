var t = "жие\";
var s = "е\";
