// A worker knows no import map.
import "./shared.js";
