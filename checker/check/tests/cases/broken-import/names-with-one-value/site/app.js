const one = "./one-gone.js";
import(one);
let two = "./two-gone.js";
two = other();
import(two);
let late;
late = "./late-gone.js";
import(late);
function inner() { const twice = "./twice-gone.js"; }
for (const twice of list) import(twice);
const { taken } = options;
if (inner) taken = "./taken-gone.js";
import(taken);
let read = "./read-gone.js";
({ read } = options);
import(read);
let first = "./first-gone.js";
[first] = list;
import(first);
let each = "./each-gone.js";
for (each of list) import(each);
function called(parameter) { parameter = "./parameter-gone.js"; import(parameter); }
try { run(); } catch (caught) { caught = "./caught-gone.js"; import(caught); }
const circle = circle + "x";
import(circle);
let path = "./path-gone.js";
path += "?v=1";
import(path);
