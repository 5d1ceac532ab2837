const start = async (imports = {}, address) => (await WebAssembly.instantiateStreaming(fetch(address), imports)).instance;
const add = (imports) => start(imports, `/assets/add-DkMAU0Nf.wasm`);
export { add as default };
