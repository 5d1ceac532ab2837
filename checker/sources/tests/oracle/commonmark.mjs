// Writes commonmark.json: the examples of the CommonMark specification and the destinations that they render.
// Run in a folder with `npm install commonmark-spec`: node …/commonmark.mjs > …/commonmark.json

import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "x.js"));
const { tests } = require("commonmark-spec");

const entities = { amp: "&", quot: '"', lt: "<", gt: ">" };
const destinations = (html) =>
  [...html.matchAll(/(?:href|src)="([^"]*)"/g)]
    .map((match) => match[1].replace(/&(amp|quot|lt|gt);/g, (_, name) => entities[name]))
    .filter((destination) => destination !== "");

const examples = tests.map(({ markdown, html }) => ({ input: markdown, destinations: destinations(html) }));
console.log(JSON.stringify(examples, null, 1));
