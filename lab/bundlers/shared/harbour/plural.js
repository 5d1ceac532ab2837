// Returns a number with its noun, for the counter and the panel.
export const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
