// Writes mdx.json: texts of MDX and the destinations that they render as React.
// Run in a folder with `npm install @mdx-js/mdx commonmark-spec react react-dom remark-gfm remark-frontmatter`:
// node …/mdx.mjs > …/mdx.json
// The texts are the examples of the CommonMark specification that compile as MDX, and those below.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.cwd(), "x.js"));
const load = async (name) => import(pathToFileURL(join(process.cwd(), "node_modules", name)));
const { evaluate } = await load("@mdx-js/mdx/index.js");
const gfm = (await load("remark-gfm/index.js")).default;
const frontmatter = (await load("remark-frontmatter/index.js")).default;
const { createElement } = require("react");
const runtime = require("react/jsx-runtime");
const { renderToStaticMarkup } = require("react-dom/server");
const { tests } = require("commonmark-spec");

const own = [
  "[x](/y)",
  "# T [x](/y \"t\") ![i](<a b.png>)",
  "<a href=\"/y\">x</a>",
  "<a href='/y?a&amp;b'>x</a>",
  "<a href={\"/y\"}>x</a>",
  "<a href={'/y'}>x</a>",
  "<a href={`/y`}>x</a>",
  "<a\n  className=\"b\"\n  href=\"/y\"\n>\n  x\n</a>",
  "<a title=\"<b href='/n'>\" href=\"/y\">x</a>",
  "<a title={'}'} href=\"/y\">x</a>",
  "<a style={{a: '/n'}} href=\"/y\">x</a>",
  "<a {...{title: '/n'}} href=\"/y\">x</a>",
  "<a href = \"/y\">x</a>",
  "<Card to=\"/y\">x</Card>",
  "<div>\n  <div>\n    - [x](/y)\n\n      ```\n      [n](/n)\n      ```\n  </div>\n</div>",
  "<div>\n      ~~~\n      [n](/n)\n      ~~~\n      [x](/y)\n</div>",
  "- <Card to=\"/y\">\n    [a](/b)\n  </Card>\n\n      [c](/d)",
  "<div title={`}`} className='>'>[x](/y)</div>",
  "a {`${'{'}`} [x](/y)",
  "a {/* ` */} [x](/y) {/* ` */}",
  "`a {` [x](/y) `}`",
  "> a\n> {/* [n](/n) */}\n> [x](/y)",
  "> ```\n> <a>{\n\n[x](/y) <Card to=\"/z\"/>",
  "[x](/y)<br/>[z](/w)",
  "[a <b>c</b>](/y)",
  "<Card to=\"/y\">*a* `b` {1}</Card>",
  "- a\n  {/* [n](/n) */}\n- [x](/y)",
  "<Card to=\"/y\"/>",
  "<Card to=\"/y\">\n\n[a](/b)\n\n</Card>",
  "<Card to=\"/y\">\n[a](/b)\n</Card>",
  "<Card to=\"/y\">\n  - [a](/b)\n  - <Card to=\"/c\"/>\n</Card>",
  "text <Card to=\"/y\">[a](/b)</Card> text",
  "<div><a href=\"/a\"/><img src=\"/b\"/></div>",
  "<div>\n\n    [not code](/y)\n\n</div>",
  "    [not code](/y)",
  "{/* [n](/n) */}",
  "{/* [n](/n) */} [x](/y)",
  "{/*\n[n](/n)\n\n<a href=\"/n\"/>\n*/}\n\n[x](/y)",
  "a {'[n](/n)'} [x](/y)",
  "a {1 + 1} [x](/y)",
  "{`\n[n](/n)\n`}\n\n[x](/y)",
  "export const a = '[n](/n)'\n\n[x](/y)",
  "export const a = {from: '/n'}\n\n[x](/y)",
  "export const A = () => <b>/n</b>\n\n<A/> [x](/y)",
  "`[n](/n)` [x](/y)",
  "`<a href=\"/n\">` [x](/y)",
  "`{/*` [x](/y) `*/}`",
  "`<!--` [x](/y)",
  "```\n[n](/n)\n```\n\n[x](/y)",
  "```jsx title=\"```\"\n<a href=\"/n\"/>\n```",
  "~~~md\n```\n[n](/n)\n~~~\n[x](/y)",
  "````md\n```\n[n](/n)\n```\n````\n[x](/y)",
  "- a\n\n  ```\n  [n](/n)\n  ```\n- [x](/y)",
  "> [x](/y)\n> [a](/b)",
  "> [x](\n> /y)",
  "> <a href=\"/y\">x</a>",
  "| a |\n|---|\n| [x](/y) |\n| <a href=\"/z\">x</a> |",
  "| a |\n|---|\n| [x](/a\\|b) |",
  "[x][a] [a] [A][]\n\n[a]: /y",
  "[x][a]\n\n[a]:\n  /y\n  \"t\"",
  "[n]: /n",
  "![i][a]\n\n[a]: <y z>",
  "see https://e.org/a.",
  "see www.e.org/a.",
  "(https://e.org/a(b)) https://e.org/a_b_c",
  "[https://e.org/a](/y)",
  "a@b.org",
  "[x](/a\\_b) [y](/c&amp;d) [z](/e%20f)",
  "[a `b](/n)` c](/y)",
  "[![i](/i)](/y)",
  "![a [n](/n) b](/y)",
  "*[x](/y)* **[a](/b)** ~~[c](/d)~~",
  "x[^1]\n\n[^1]: [x](/y)",
  "\\[n](/n) \\<a> \\{ [x](/y)",
  "a &lt;a href=\"/n\"&gt; [x](/y)",
  "costs $5 [x](/y) or $10",
  "---\na: b\n---\n\n[x](/y)",
  "# é [x](/ü)\n\n<a href=\"/é\">ü</a>",
  "[x](/y)\r\n[a](/b)\r\n\r\n<a href=\"/c\">\r\nx\r\n</a>",
  "<><a href=\"/y\"/></>",
  "<svg><a xlinkHref=\"/y\"/></svg>",
  "1. [x](/y)\n   <a href=\"/z\"/>\n2. a",
  "<details>\n<summary>[x](/y)</summary>\n\n[a](/b)\n\n</details>",
  "<pre>{`[n](/n)`}</pre> [x](/y)",
  "<code>[x](/y)</code>",
  "[x](/a(b)c) [y](</a)b>)",
  "[x]()",
  "[x](/y\n\"t\")",
  "<b>{/* <a href=\"/n\"/> */}</b>",
  "<b c={/* '}' */ '/n'}/> [x](/y)",
  "a <b>c</b> [x](/y) <i>d</i>",
];

const Card = ({ to, children }) => createElement("a", { href: to }, children);
const entities = { amp: "&", quot: '"', lt: "<", gt: ">", "#x27": "'" };
const generated = /^#(user-content-)?fn/;
// React preloads images by `link`.
const destinations = (html) =>
  [...html.replace(/<link rel="preload"[^>]*>/g, "").matchAll(/ (?:href|src|xlink:href)="([^"]*)"/g)]
    .map((match) => match[1].replace(/&(amp|quot|lt|gt|#x27);/g, (_, name) => entities[name]))
    // Bare addresses of e-mail are no references.
    .filter((destination) => destination !== "" && !destination.startsWith("mailto:") && !generated.test(destination));

const render = async (input) => {
  const { default: Content } = await evaluate(input, { ...runtime, remarkPlugins: [gfm, frontmatter] });
  return destinations(renderToStaticMarkup(createElement(Content, { components: { Card } })));
};

const examples = [];
for (const input of [...tests.map((test) => test.markdown), ...own]) {
  try {
    examples.push({ input, destinations: await render(input) });
  } catch (error) {
    if (own.includes(input)) {
      console.error(JSON.stringify(input), error.message);
    }
  }
}
console.log(JSON.stringify(examples, null, 1));
