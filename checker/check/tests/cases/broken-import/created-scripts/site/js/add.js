function add(name) {
  const script = document.createElement("script");
  script.src = "/js/first.js";
  document.head.append(script);
  const gone = document.createElement("SCRIPT");
  gone.src = "/js/gone.js?v=1";
  document.head.append(gone);
  let optional = document.createElement("script");
  optional.src = "/js/optional.js";
  optional.onerror = () => console.info("works without it");
  let caught = document.createElement("script");
  caught.addEventListener("error", () => {});
  caught.src = "/js/caught-C7tAw885.js";
  let module = document.createElement("script");
  module.src = "/js/module.js";
  module.type = "module";
  let classic = document.createElement("script");
  classic.type = "text/javascript";
  classic.src = "/js/classic.js";
  const frame = document.createElement("iframe");
  frame.src = "/frame-gone.js";
  let reused = document.createElement("script");
  reused = document.createElement("img");
  reused.src = "/reused-gone.js";
  const api = document.createElement("script");
  api.src = "/api/callback?run=done";
  api.src = `/js/${name}.js`;
  api.src = name + "/x.js";
  document.head.append(() => { script.src = "/js/other-function.js"; });
}
const image = { src: "" };
image.src = "/no-element-gone.js";
function other(script) {
  script.src = "/parameter-gone.js";
}
