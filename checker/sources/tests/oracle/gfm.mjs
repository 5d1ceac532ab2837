// Writes gfm.json: texts with tables, bare URLs, footnotes and definitions, and the destinations that they render.
// Run in a folder with `npm install unified remark-parse remark-gfm remark-rehype rehype-stringify`:
// node …/gfm.mjs > …/gfm.json

import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = async (name) => import(pathToFileURL(join(process.cwd(), "node_modules", name, "index.js")));
const { unified } = await load("unified");
const plugins = await Promise.all(["remark-parse", "remark-gfm", "remark-rehype", "rehype-stringify"].map(load));
const processor = plugins.reduce((processor, plugin) => processor.use(plugin.default), unified());

// Bare URLs in many surroundings, most of them from the specification of GitHub.
const urls = [
  "www.commonmark.org", "www.commonmark.org/help", "https://commonmark.org", "http://commonmark.org/a?b=c&d#e",
  "www.google.com/search?q=Markup+(business)", "www.google.com/search?q=commonmark&hl=en", "https://e.org/a_b_c",
  "https://e.org/a-b/", "https://e.org:8080/a", "https://e.org/a/b.html#c_d", "https://e.org/~a", "http://e.co.uk",
  "https://e.org/a'b", "https://e.org/a,b;c", "https://e.org/%20a", "https://e.org/a@b", "https://e.org/a!b",
  "http://localhost:8080/a",
];
const surroundings = [
  (url) => url,
  (url) => `see ${url}.`,
  (url) => `(${url})`,
  (url) => `(see ${url}, or not)`,
  (url) => `${url}!? "${url}"`,
  (url) => `**${url}**`,
  (url) => `*${url}*`,
  (url) => `_${url}_`,
  (url) => `- ${url}\n- ${url}:`,
  (url) => `> ${url}\n> and ${url};`,
  (url) => `| a | b |\n|---|---|\n| ${url} | [x](/y) |\n| x${url} | \`${url}\` |`,
  (url) => `\`${url}\` [${url}](/y) ![${url}](/z)`,
  (url) => `<b>${url}</b>`,
  (url) => `${url}<b>`,
  (url) => `    ${url}\n\n\`\`\`\n${url}\n\`\`\``,
  (url) => `x${url}`,
  (url) => `${url}  \n${url}\n${url}`,
  (url) => `# ${url} #`,
];
const texts = [
  "| a | b |\n|---|---|\n| [x](/y) | ![i](/z) |",
  "| [h](/h) |\n|:-:|\n| [x](/a\\|b) |",
  "| a |\n|---|\n| `[n](/n)` | [n](/n) |",
  "| a |\n|---|\n| `a | b` | [n](/n) |",
  "| a |\n| b |\n[x](/y)",
  "a | b\n-|-\n[x](/y) | [z](/w \"t\")\n\n| [p](/p) |",
  "| a |\n|---|\n| [x] |\n\n[x]: /y",
  "| a |\n|---|\n| [x](/y)\n> [q](/q)",
  "| a |\n|---|\n    [x](/y)",
  "- | a |\n  |---|\n  | [x](/y) |",
  "> | a |\n> |---|\n> | [x](/y) |",
  "x[^1] y[^a]\n\n[^1]: [x](/y)\n[^a]: [z](/w)\n\n    [v](/v)\n\n        [n](/n)",
  "x[^1]\n\n[^1]:\n    [x](/y)\n\n    ```\n    [n](/n)\n    ```",
  "[^x]: /n\n\n[x](/y)",
  "- [ ] [x](/y)\n- [x] [z](/w)\n\n[x]: /v",
  "~~[x](/y)~~ ~[z](/w)~",
  "[x](/y) ~~`[n](/n)`~~",
  "<a@b.org>",
  "[a]: /y\n[a]: /z\n\n[a] ![a] [b][a] [a][]",
  "[a]: /y 'title'\n[b]:\n/z\n(title\nover two lines)\n\n[a][b] [b]",
  "> [a]: /y\n\n[a]",
  "- [a]: <y z>\n\n  [a]",
  "[a\\]b]: /y\n\n[a\\]b]",
  "[A  b\nc]: /y\n\n[a B C]",
  "`<!--` [x](/y)\n\n[z](/w) `-->`",
  "```a```\n[x](/y)",
  "``` a`b\n[x](/y)",
  "~~~ ``` ~~~\n[n](/n)\n~~~\n[x](/y)",
  "````\n```\n[n](/n)\n````\n[x](/y)",
  "```\n[n](/n)",
  "> ```\n> [n](/n)\n\n[x](/y)",
  "-     [n](/n)\n\n      [m](/m)",
  "a\n    [x](/y)",
  "a\n\n    [n](/n)\n[x](/y)",
  "\t[n](/n)",
  "1. a\n\n   [x](/y)\n\n       [n](/n)",
  "<!-- [n](/n) --> [m](/m)\n\n[x](/y)",
  "<div>\n[n](/n)\n\n[x](/y)\n</div>",
  "a <!-- [n](/n) --> [x](/y)",
  "[x](/y \"a\n[n](/n)\")",
  "[x](<a(b>) [y](a\\)b) [z](a(b(c))d)",
  "[x]( </y> ) [y](\t/z\t'a') [z](/a'b')",
  "[x](/&auml;&amp;\\&) [y](/a%5Cb)",
  "![a](/b) ![a ![b](/n)](/c) ![a [b](/n)](/d) [![a](/e)](/f)",
  "[a [b](/y)](/n)",
  "[a](/y)[b](/z)(/n)",
  "\\[n](/n) [n]\\(/n) [n] (/n) [n]\n(/n)",
  "[x][] [y] [z][w]\n\n[x]: /x#\n[w]: <>\n[y]: </y>",
];

const entities = (text) => text.replace(/&#x([0-9A-F]+);/g, (_, code) => String.fromCodePoint(parseInt(code, 16)));
const generated = /^#user-content-fn/;
const destinations = (html) =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
    .map((match) => entities(match[1]))
    .filter((destination) => destination !== "" && !generated.test(destination));

const examples = [];
for (const input of [...urls.flatMap((url) => surroundings.map((surround) => surround(url))), ...texts]) {
  examples.push({ input, destinations: destinations(String(await processor.process(input))) });
}
console.log(JSON.stringify(examples, null, 1));
