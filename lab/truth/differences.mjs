// Prints what differs between two outputs.

/** @param {string} text */
const lines = (text) => text.replaceAll(/,\{"/gu, ',\n{"').split('\n');

/** @param {string} line */
const shortened = (line) => (line.length > 400 ? `${line.slice(0, 400)}…` : line);

/**
 * Prints the first differences of two texts.
 *
 * @param {string} name
 * @param {string} before
 * @param {string} after
 */
export function explain(name, before, after) {
  const [old, now] = [lines(before), lines(after)];
  const [known, found] = [new Set(old), new Set(now)];
  const lost = old.filter((line) => !found.has(line));
  const added = now.filter((line) => !known.has(line));
  console.log(`differs: ${name} (${lost.length} lines less, ${added.length} more)`);
  for (const line of lost.slice(0, 3)) console.log(`  - ${shortened(line)}`);
  for (const line of added.slice(0, 3)) console.log(`  + ${shortened(line)}`);
  if (lost.length + added.length === 0) console.log('  the order of lines');
}
