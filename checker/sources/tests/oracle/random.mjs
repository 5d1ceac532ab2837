// Random choices that are the same in each run.
let state = 45;

/** Returns a whole number below a limit. */
export function below(limit) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

/** Returns an item of a list. */
export const pick = (list) => list[below(list.length)];

/** Returns some items of a list, in any order. */
export const some = (list, most) => Array.from({ length: 1 + below(most) }, () => pick(list));

/** Returns the offset in bytes of a position in a text. */
export const bytes = (text, position) => Buffer.byteLength(text.slice(0, position));
