<!-- an old way to hide scripts
let x;
