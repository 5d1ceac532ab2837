// Written by hand in the shape of Vite's preload helper: it preloads the dependencies of an import.
function line(text) {
  const made = document.createElement(`p`);
  made.textContent = text;
  document.querySelector(`main`).append(made);
  return made;
}
function button(name, act) {
  const made = document.createElement(`button`);
  made.textContent = name;
  made.addEventListener(`click`, () => void act());
  document.querySelector(`main`).append(made);
}
const ahead = `modulepreload`;
const located = function (file) {
  return `/` + file;
};
const brought = {};
function bring(file) {
  const isStyle = file.endsWith(`.css`);
  const link = document.createElement(`link`);
  link.rel = isStyle ? `stylesheet` : ahead;
  link.href = located(file);
  document.head.append(link);
  if (!isStyle) return undefined;
  return new Promise((arrived, failed) => {
    link.addEventListener(`load`, arrived);
    link.addEventListener(`error`, failed);
  });
}
const preload = async (load, files) => {
  await Promise.all(files.map((file) => (brought[file] ??= bring(file))));
  return load();
};
export { button as b, line as l, preload as p };
