// Writes redirects.json: random `_redirects` files, and the destinations that Netlify reads, in their order.
// Run in a folder with `npm install netlify-redirect-parser`: node redirects.mjs > redirects.json
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllRedirects } from "netlify-redirect-parser";
import { pick, some } from "./random.mjs";

const path = () => pick(["/a", "/b/*", "/c/:id", "/é", "/d.html", "https://e.org/x"]);
const destination = () => pick(["/x", "/y/:splat", "/z/:id", "https://e.org/w", "/v#f", "/u?a=:a", "/.netlify/functions/f"]);
const space = () => pick([" ", "  ", "\t"]);
const line = () =>
  pick([
    () => `${path()}${space()}${destination()}`,
    () => `${path()}${space()}${destination()}${space()}${pick(["301", "302!", "200", "404"])}`,
    () => `${path()}${space()}id=:id${space()}${destination()} 301`,
    () => `${path()} a=:a b=:b ${destination()}`,
    () => `${path()} ${destination()} 302 Country=us,ca Language=en`,
    () => `# ${path()} ${destination()}`,
    () => `  ${path()} ${destination()} # /comment`,
    () => "",
  ])();

const files = [];
const folder = mkdtempSync(join(tmpdir(), "redirects-"));
while (files.length < 100) {
  const input = some([0], 5).map(line).join(pick(["\n", "\r\n"])) + "\n";
  const file = join(folder, "_redirects");
  writeFileSync(file, input);
  const { redirects, errors } = await parseAllRedirects({ redirectsFiles: [file], configRedirects: [], minimal: true });
  if (errors.length === 0) files.push({ input, destinations: redirects.map(({ to }) => to) });
}
console.log("[\n" + files.map((file) => JSON.stringify(file)).join(",\n") + "\n]");
