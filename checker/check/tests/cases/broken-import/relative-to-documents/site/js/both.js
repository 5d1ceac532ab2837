// Only one of the pages that run this has it.
new Worker("only.js");
new Worker("neither.js");
