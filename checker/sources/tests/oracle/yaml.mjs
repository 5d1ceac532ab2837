// Writes yaml.json: random YAML, and its values on one line as the package `yaml` reads them, in their order.
// Run in a folder with `npm install yaml`: node yaml.mjs > yaml.json
import YAML from "yaml";
import { below, bytes, pick, some } from "./random.mjs";

const value = () => pick(["/x/", "a/b.md", "é/ü.md", "it's/x.md", "/y/#f", "https://e.org/a?b=c", "guide/a b.md", "./-/x", "a\\b/c.md", "\"/q\""]);
const key = () => pick(["link", "a b", "Über", "nav", "/k/", "x.y"]) + below(100);
const comment = () => pick(["", "", "", " # /c/", " # it's a/b"]);

/** Returns a scalar in a random style. */
function scalar(flow) {
  const text = value();
  const styles = [JSON.stringify(text), `'${text.replaceAll("'", "''")}'`, `"${text.replaceAll(/[^ -~]|\//g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).replaceAll(/(?<!\\)\\(?!u)/g, "\\\\").replaceAll(/(?<!\\)"/g, '\\"')}"`];
  if (!/^["\\]|: | #/.test(text)) styles.push(text, text, text);
  return pick(["", "", "", "&a ", "!t "]) + pick(styles).replace(/^(?!["'])(.*)$/, (plain) => (flow && /[,[\]{}?]/.test(plain) ? "x/y" : plain));
}

/** Returns a list or a mapping in brackets. */
function flow(depth) {
  const item = () => (depth < 2 && below(3) === 0 ? flow(depth + 1) : scalar(true));
  const items = some([0], 3).map(item);
  const separator = pick([", ", ",\n" + " ".repeat(12)]);
  return below(2) ? `[${items.join(separator)}]` : `{${items.map((item, index) => `k${index}: ${item}`).join(separator)}}`;
}

/** Returns a block at an indentation. */
function block(indent, depth) {
  const space = " ".repeat(indent);
  const isList = below(2) === 0;
  const names = new Set();
  const lines = some([0], 4).map(() => {
    let name = key();
    while (names.has(name)) name = key();
    names.add(name);
    const start = space + (isList ? "-" : `${name}:`);
    return pick([
      () => `${start} ${scalar(false)}${comment()}\n`,
      () => `${start} ${scalar(false)}${comment()}\n`,
      () => `${start} ${flow(0)}${comment()}\n`,
      () => `${start} |\n${space}  /x/ # a\n${space}  - /y/\n`,
      () => `${start} >-\n${space}  /x/\n`,
      () => `${start} "/x\n${space}  y/z"\n`,
      () => `${start} /x/\n${space}    y/z\n`,
      () => `${space}# - /c/\n${start} 'x/y'\n`,
      () => (depth < 3 ? `${start}\n${block(indent + 2, depth + 1)}` : `${start}\n`),
    ])();
  });
  return lines.join("");
}

const documents = [];
while (documents.length < 250) {
  const input = pick(["", "", "---\n", "# /c/\n", "\ufeff"]) + block(0, 0) + pick(["", "---\n- a/b.md\n", "...\n"]);
  const parsed = YAML.parseAllDocuments(input.replace("\ufeff", ""), { uniqueKeys: false });
  if (parsed.some((document) => document.errors.length)) continue;
  const destinations = [];
  const ranges = [];
  for (const document of parsed) {
    YAML.visit(document, {
      Scalar(key, node) {
        if (key === "key" || typeof node.value !== "string" || node.tag) return;
        const before = input.startsWith("\ufeff") ? 1 : 0;
        const quote = /^QUOTE/.test(node.type) ? 1 : 0;
        const written = input.slice(before + node.range[0], before + node.range[1]);
        if (!/^BLOCK/.test(node.type) && !written.includes("\n") && !node.value.includes('"')) {
          destinations.push(node.value);
          ranges.push(node.range.slice(0, 2).map((at, index) => bytes(input, before + at) + (index ? -quote : quote)));
        }
      },
    });
  }
  documents.push({ input, destinations, ranges });
}
console.log("[\n" + documents.map((document) => JSON.stringify(document)).join(",\n") + "\n]");
