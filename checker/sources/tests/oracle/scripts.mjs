// Writes scripts.json: random modules, and their literals that are values of properties, items, attributes or imports as
// @babel/parser reads them, in their order. Run in a folder with `npm install @babel/parser`: node scripts.mjs > scripts.json
import { parse } from "@babel/parser";
import { below, bytes, pick, some } from "./random.mjs";

const url = () => pick(["/x/", "./a.md", "/é/", "../b?c=d#e", "/y", "https://e.org/"]);
const escaped = (text) => text.replaceAll("/", () => pick(["/", "\\/", "\\x2f", "\\u002f", "\\u{2f}"]));
const string = () => pick([`'${url()}'`, `"${url()}"`, `'${escaped(url())}'`, `\`${url()}\``, `\`${escaped(url())}\``]);
const key = () => pick(["link", "'/k/'", "href", "[a]", "['/c/']", "42", "x"]);

function value(depth) {
  return pick([
    string,
    string,
    string,
    () => `(${string()})`,
    () => `${string()} + a`,
    () => `\`/t/\${${string()}}/\``,
    () => `a ? ${string()} : [${string()}]`,
    () => `/[/"'\`]\\/x\\//g`,
    () => `css\`url(/x/)\``,
    () => `f(${string()}, { link: ${string()} })`,
    () => `() => { 'use x'; return [${string()}] }`,
    () => `a[${string()}]`,
    () => `new URL(${string()}, import.meta.url)`,
    () => `require(${string()})`,
    () => `import(${string()})`,
    () => (depth < 3 ? object(depth + 1) : "1"),
    () => (depth < 3 ? `[${some([0], 3).map(() => value(depth + 1)).join(", ")}]` : "2"),
    () => (depth < 3 ? element(depth + 1) : "3"),
  ])();
}
const object = (depth) => `{ ${some([0], 3).map(() => `${key()}: ${value(depth)}`).join(pick([", ", ", // '/c/'\n", ", /* \"/c/\" */ "]))} }`;
function element(depth) {
  const attribute = () => pick([`href="${url()}"`, `to={${value(depth)}}`, `src='${url()}'`, `{...${object(depth)}}`, `b={${object(depth)}}`]);
  const content = pick(["/x/ it's", `{/* <a href="/x/"/> */}`, `{${value(depth)}}`, "a > b".replace(">", "&gt;")]);
  return `<A ${some([0], 2).map(attribute).join(" ")}>${content}</A>`;
}
const statement = () =>
  pick([
    () => `import a${below(1e6)} from ${pick([`'${url()}'`, `"${escaped(url())}"`])};`,
    () => `export * from '${url()}';`,
    () => `const c${below(1e6)} = ${value(0)};`,
    () => `f(${object(0)});`,
    () => `export const d${below(1e6)} = [${value(0)}];`,
    () => `if (a === ${string()}) b = ${value(0)};`,
    () => `// link: ${string()}`,
    () => `switch (a) { case ${string()}: b(${string()}) }`,
    () => `class K${below(1e6)} { link = ${string()}; static x = ${object(1)} }`,
  ])();

/** Returns a literal's text. */
const literal = (node) => (node?.type === "StringLiteral" ? node.value : node?.type === "TemplateLiteral" && node.quasis.length === 1 ? node.quasis[0].value.cooked : undefined);
const names = ["href", "to", "src"];

/** Collects literals by what contains them. */
function collect(node, found) {
  if (!node || typeof node !== "object") return;
  const add = (part) => literal(part) !== undefined && found.push([part.start, part.end, literal(part)]);
  if (node.type === "ObjectProperty" || node.type === "ClassProperty") add(node.value);
  if (node.type === "ArrayExpression") node.elements.forEach(add);
  if (/^(Import|Export).*Declaration$/.test(node.type)) add(node.source);
  if (node.type === "ImportExpression") add(node.source);
  if (node.type === "CallExpression" && (node.callee.type === "Import" || node.callee.name === "require")) add(node.arguments[0]);
  if (node.type === "NewExpression" && node.callee.name === "URL") add(node.arguments[0]);
  if (node.type === "JSXAttribute" && names.includes(node.name.name)) add(node.value?.type === "JSXExpressionContainer" ? node.value.expression : node.value);
  for (const [key, part] of Object.entries(node)) if (key !== "loc" && key !== "extra") (Array.isArray(part) ? part : [part]).forEach((item) => collect(item, found));
}

const scripts = [];
while (scripts.length < 250) {
  const input = some([0], 4).map(statement).join("\n");
  let tree;
  try {
    tree = parse(input, { sourceType: "module", plugins: ["jsx"] }).program;
  } catch {
    continue;
  }
  const found = [];
  collect(tree, found);
  found.sort((a, b) => a[0] - b[0]);
  const ranges = found.map(([start, end]) => [bytes(input, start + 1), bytes(input, end - 1)]);
  scripts.push({ input, destinations: found.map(([, , value]) => value), ranges });
}
console.log("[\n" + scripts.map((script) => JSON.stringify(script)).join(",\n") + "\n]");
