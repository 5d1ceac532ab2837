import("./part.js");
function half() {
