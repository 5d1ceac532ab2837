import "lit";
import "gone";
import "lit/html.js";
