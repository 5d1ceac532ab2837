// Writes styles.json: random style sheets in CSS, SCSS and Less, and the URLs that css-tree finds in the CSS that their
// compilers make of them, in their order. Run in a folder with `npm install css-tree sass less`: node styles.mjs > styles.json
import { parse, walk } from "css-tree";
import less from "less";
import { compileString, Logger } from "sass";
import { pick, some } from "./random.mjs";

const url = () => pick(["x.png", "/a/b.png", "//cdn.example/x.png", "https://e.org/y.png?a=b", "../é.png", "#f"]);
const call = () => pick([`url(${url()})`, `url("${url()}")`, `url( '${url()}' )`, `URL(${url()})`]);
const text = () => pick(["'it\\'s'", '"url(/x)"', '"// no"', "'/* no */'", '"\\"url(/x)"']);
const line = { css: () => "", scss: () => pick(["", `// don't ${call()}\n`, `// /* "\n`]), less: () => pick(["", `// ${call()}\n`]) };
const piece = (kind, depth) =>
  pick([
    () => `a { b: ${call()} } `,
    () => `a { b: ${call()} 1px, ${call()}; c: ${text()}; ${line[kind]()} d: ${call()} } `,
    () => `/* ${call()} */ `,
    () => `/* it's */\n${line[kind]()}`,
    () => `a::before { content: ${text()} } `,
    () => `@font-face { font-family: x; src: url("${url()}") format("woff2"), ${call()} } `,
    () => `a { b: image-set("${url()}" 1x, ${call()} 2x) } `,
    () => (depth < 2 ? `@media print { ${piece(kind, depth + 1)} } ` : ""),
    () => `a { --b: { c: d } } `,
  ])();

const compilers = {
  css: (input) => input,
  scss: (input) => compileString(input, { logger: Logger.silent, charset: false }).css,
  less: async (input) => (await less.render(input, { math: "parens" })).css,
};

const styles = [];
for (const [extension, compile] of Object.entries(compilers)) {
  for (let index = 0; index < 100; index++) {
    const imports = pick(["", "", `@import url("${url()}");\n`, `@import url(${url()}) screen;\n`]);
    const input = imports + some([0], 5).map(() => piece(extension, 0)).join("");
    let css;
    try {
      css = await compile(input);
    } catch {
      continue;
    }
    const destinations = [];
    walk(parse(css, { parseCustomProperty: true }), function (node) {
      if (node.type === "Url") destinations.push(node.value);
      const isSet = this.function?.name === "image-set" && node.type === "String";
      if (isSet) destinations.push(node.value);
    });
    styles.push({ path: `a.${extension}`, input, destinations });
  }
}
console.log("[\n" + styles.map((style) => JSON.stringify(style)).join(",\n") + "\n]");
