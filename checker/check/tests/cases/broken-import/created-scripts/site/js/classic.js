with (document) title = "Ships";
fetch("/js/first.js");
