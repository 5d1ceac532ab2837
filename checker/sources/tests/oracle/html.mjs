// Writes html.json: random pages, and the values of attributes with URLs that parse5's tokenizer finds in them, in their
// order. Run in a folder with `npm install parse5-sax-parser`: node html.mjs > html.json
import { SAXParser } from "parse5-sax-parser";
import { pick, some } from "./random.mjs";

const url = () => pick(["/x/", "a.html", "/y?a=1&amp;b=2#c", "../é/ü", "/a b.html", "#f", "&#47;z&sol;", "/&copy=1", "/w&amp"]);
const attribute = () => {
  const name = pick(["href", "src", "HREF", "class", "title", "poster", "cite", "action", "hidden"]);
  const value = pick([url(), url(), url(), ""]);
  const word = value.replaceAll(" ", "");
  return pick([
    `${name}="${value}"`,
    `${name}='${value}'`,
    `${name} = "${value}"`,
    word ? `${name}=${word} ` : name,
    `${name}="\n${value} "`,
    name,
    `title="<a href='${value}'>"`,
    `alt='a > b "${value}"'`,
  ]);
};
const attributes = () => some([0], 3).map(attribute).join(pick([" ", "\n", "/", " / "]));
const tag = () => `<${pick(["a", "img", "A", "my-card", "p", "div", "blockquote"])} ${attributes()}${pick([">", "/>", " >", "\n>"])}`;
const piece = () =>
  pick([
    tag,
    tag,
    tag,
    () => pick(["text", " < ", "<", "&lt;a href='/x/'>", "</a>", "</ a href='/x/'>", "<3 href='/x/'>", "a<b", "\u00e9"]),
    () => `<!-- ${tag()} ${pick(["-->", "--!>", "-- >-->", "->-->"])}`,
    () => pick(["<!-->", "<!--->", "<!doctype html>", "<!a href='/x/'>", "<?a href='/x/'?>", "<![CDATA[<a href='/x/'>]]>"]),
    () => `<${pick(["textarea", "title", "TEXTAREA"])}>${tag()}</${pick(["b></textarea></title", "textarea></title", "TITLE ></textarea"])}>`,
    () => `<${pick(["xmp", "noembed", "iframe", "noframes"])}>${tag()}</xmp></noembed></iframe></noframes>`,
    () => `<script>${pick([`"${tag()}"`, `<!-- <script> ${tag()} </script> ${tag()} -->`, `'</p>' ${tag()}`])}</script>`,
    () => `<style>a { content: '${pick(["x", "</b>", "<!--"])}' }</style>`,
    () => `<svg><title>${tag()}</title></svg>`,
    () => `<svg><a xlink:href="/s/"/><textarea/></svg>`,
    () => `<pre>${tag()}</pre><template>${tag()}</template>`,
  ])();

const names = ["href", "src", "poster", "cite", "action", "xlink:href"];

/** Reads a page with the tokenizer of parse5. */
async function destinations(page) {
  const parser = new SAXParser();
  const found = [];
  parser.on("startTag", ({ attrs }) => {
    for (const { name, prefix, value } of attrs) {
      const whole = prefix ? `${prefix}:${name}` : name;
      if (names.includes(whole) && value.trim()) found.push(value.trim());
    }
  });
  await new Promise((resolve) => parser.end(page, resolve));
  return found;
}

const pages = [];
for (let index = 0; index < 300; index++) {
  const input = some([0], 9).map(piece).join("");
  pages.push({ input, destinations: await destinations(input) });
}
console.log("[\n" + pages.map((page) => JSON.stringify(page)).join(",\n") + "\n]");
