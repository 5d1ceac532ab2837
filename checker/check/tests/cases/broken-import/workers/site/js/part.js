importScripts("parts/more.js");
importScripts("more.js");
