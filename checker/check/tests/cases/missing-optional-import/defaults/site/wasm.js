export default async function init(input) {
  if (input === undefined) {
    input = new URL("spare/if.wasm", import.meta.url);
  }
  const other = input ?? new URL("spare/or.wasm", import.meta.url);
  const third = input ? input : new URL("spare/choice.wasm", import.meta.url);
  input ||= new URL("spare/assign.wasm", import.meta.url);
  if (new URL("needed/test.wasm", import.meta.url).pathname) run();
  const photo = new URL("needed/photo.png", import.meta.url).href;
}
function parameter(input = new URL("spare/parameter.wasm", import.meta.url)) {}
if (input) listen(() => new URL("needed/inside.wasm", import.meta.url));
