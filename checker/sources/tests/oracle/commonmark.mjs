// Writes commonmark.json: the examples of the CommonMark specification and the destinations that they render.
// Run in a folder with `npm install commonmark commonmark-spec`: node …/commonmark.mjs > …/commonmark.json
// `destinations` are all `href` and `src` of the specification's HTML; `markdown` are those without raw HTML.

import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "x.js"));
const commonmark = require("commonmark");
const { tests } = require("commonmark-spec");

const entities = { amp: "&", quot: '"', lt: "<", gt: ">" };
const destinations = (html) =>
  [...html.matchAll(/(?:href|src)="([^"]*)"/g)]
    .map((match) => match[1].replace(/&(amp|quot|lt|gt);/g, (_, name) => entities[name]))
    .filter((destination) => destination !== "");

const renderer = new commonmark.HtmlRenderer();
renderer.html_inline = () => {};
renderer.html_block = () => {};
const parser = new commonmark.Parser();

const examples = tests.map(({ markdown, html, number }) => ({
  number,
  input: markdown,
  destinations: destinations(html),
  markdown: destinations(renderer.render(parser.parse(markdown))),
}));
console.log(JSON.stringify(examples, null, 1));
