importScripts("/part.js");
import "./late.js";
