import "./own.js";
import "https://cdn.test/no.js";
fetch("/data.json").then((answer) => answer.json());
fetch("https://api.test/v1");
new Worker("/worker.js");
