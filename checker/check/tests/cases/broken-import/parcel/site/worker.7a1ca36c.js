let e=globalThis,n=e.parcelRequire60f6;Object.assign(n.i??={},{xYiyq:"double.911b8d46.js",aB3dE:"gone.911b8d46.js"});import("./"+n.i("xYiyq"));
