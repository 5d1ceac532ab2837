// Random choices that a seed repeats.

/** @param {number} seed */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    /**
     * @template T
     * @param {readonly T[]} choices
     * @returns {T}
     */
    pick: (choices) => /** @type {T} */ (choices[Math.floor(next() * choices.length)]),
    /**
     * @template T
     * @param {readonly T[]} choices
     * @param {number} chance
     */
    some: (choices, chance) => choices.filter(() => next() < chance),
    /** @param {number} chance */
    chance: (chance) => next() < chance,
  };
}
