// Writes components.json: random components, and the literal values of their attributes with URLs that the compilers of
// Astro, Svelte and Vue find, in their order.
// Run in a folder with `npm install @astrojs/compiler svelte @vue/compiler-dom`: node components.mjs > components.json
import { parse as astro } from "@astrojs/compiler/sync";
import { parse as vue } from "@vue/compiler-dom";
import { parse as svelte } from "svelte/compiler";
import { below, pick, some } from "./random.mjs";

const names = ["href", "src", "to"];
const url = () => pick(["/x/", "/y/z.html", "../é", "#f", "/a.b?c=d"]);
const name = () => pick([...names, "class", "title"]);
const script = () =>
  pick(["a > b", "a < b", "() => a > b", "`${a}/x/`", "a + '/x/'", "{ a: '}' }", "fn({ b: \"<a href='/x/'>\" })", "a /* } */"]);
const text = () => pick(["it's", "a", " ", 'say "b"', "\n", "5 / 3", "&lt;", "`"]);
const content = (inner, depth) => (depth > 2 ? text() : some([0], 3).map(() => inner(depth + 1)).join(""));

const forms = {
  astro: {
    attribute: () => pick([`${name()}="${url()}"`, `${name()}={"${url()}"}`, `${name()}={\`${url()}\`}`, `on={${script()}}`, "{...a}", "hidden"]),
    piece: (depth) =>
      pick([
        text,
        () => element("astro", depth),
        () => element("astro", depth),
        () => `{${pick(["a && ", "a.map((b) => ", "("])}${element("astro", depth)}`.replace(/^(\{a\.map.*|\{\(.*)$/s, "$1)") + "}",
        () => `{/* <a href="/x/"> */}`,
        () => `{"<a href='/x/'>"}`,
        () => `{a ? ${element("astro", depth)} : ${element("astro", depth)}}`,
        () => `<!-- <a href="/x/"> -->`,
      ])(),
  },
  svelte: {
    attribute: () => pick([`${name()}="${url()}"`, `${name()}={'${url()}'}`, `${name()}="/a/{b}"`, `on:click={${script()}}`, "{...a}", 'class="{a ? "b" : "c>"}"']),
    piece: (depth) =>
      pick([
        text,
        () => element("svelte", depth),
        () => element("svelte", depth),
        () => `{#if a < b}${element("svelte", depth)}{:else}${text()}{/if}`,
        () => `{@html "<a href='/x/'>"}`,
        () => `{a ? '<a href="/x/">' : b}`,
        () => `<!-- <a href="/x/"> -->`,
      ])(),
  },
  vue: {
    attribute: () => pick([`${name()}="${url()}"`, `:${name()}="'${url()}'"`, `v-bind:${name()}="\`${url()}\`"`, `@click="a > b"`, `:${name()}="a + '/x/'"`, "hidden"]),
    piece: (depth) =>
      pick([
        text,
        () => element("vue", depth),
        () => element("vue", depth),
        () => `{{ a < b ? "<a href='/x/'>" : c }}`,
        () => `<!-- <a href="/x/"> -->`,
      ])(),
  },
};

function element(kind, depth) {
  const attributes = new Map(some([0], 3).map(() => forms[kind].attribute()).map((text) => [text.replace(/^:|v-bind:/, "").split("=")[0], text]));
  const start = `${pick(["a", "Card", "p"])} ${[...attributes.values()].join(pick([" ", "\n"]))}`;
  return below(4) === 0 ? `<${start} />` : `<${start}>${content(forms[kind].piece, depth)}</${start.split(" ")[0]}>`;
}

/** Calls a function with each node of a tree. */
function walk(node, visit) {
  if (Array.isArray(node)) return node.forEach((item) => walk(item, visit));
  if (!node || typeof node !== "object") return;
  visit(node);
  for (const [key, value] of Object.entries(node)) if (key !== "loc" && key !== "parent") walk(value, visit);
}

/** Returns the value of an expression that is a literal. */
const literal = (code) => /^\s*(?:'([^'\\]*)'|"([^"\\]*)"|`([^`\\$]*)`)\s*$/.exec(code)?.slice(1).find((value) => value !== undefined);

const readers = {
  astro(input, found) {
    walk(astro(input).ast, (node) => {
      for (const { kind, name, value, position } of node.attributes ?? []) {
        const target = kind === "quoted" ? value : kind === "expression" || kind === "template-literal" ? literal(kind === "expression" ? value : `\`${value}\``) : undefined;
        if (names.includes(name)) found.push([position.start.offset, target]);
      }
    });
  },
  svelte(input, found) {
    walk(svelte(input, { modern: true }).fragment, (node) => {
      if (node.type !== "Attribute" || !names.includes(node.name) || node.value === true) return;
      const parts = [node.value].flat();
      const [part] = parts;
      const target = parts.length > 1 ? undefined : part.type === "Text" ? part.data : part.expression.type === "Literal" ? part.expression.value : undefined;
      found.push([node.start, target]);
    });
  },
  vue(input, found) {
    walk(vue(input, { onError: () => {} }), (node) => {
      if (node.type === 6 && names.includes(node.name) && node.value) found.push([node.loc.start.offset, node.value.content]);
      if (node.type === 7 && node.name === "bind" && names.includes(node.arg?.content)) found.push([node.loc.start.offset, literal(node.exp.content)]);
    });
  },
};

const components = [];
for (const [extension, read] of Object.entries(readers)) {
  for (let index = 0; index < 150; index++) {
    // Before the first element, the compiler of Astro takes quotes in texts for those of a script.
    const input = "<main>" + some([0], 4).map(() => forms[extension].piece(0)).join("") + "</main>";
    const found = [];
    try {
      read(input, found);
    } catch {
      continue; // Not a component: what is in it does not matter.
    }
    const destinations = found.sort((a, b) => a[0] - b[0]).map(([, target]) => target);
    components.push({ path: `a.${extension}`, input, destinations: destinations.filter(Boolean) });
  }
}
console.log("[\n" + components.map((component) => JSON.stringify(component)).join(",\n") + "\n]");
