// Returns a number with its noun, for the counter and the panel.
export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
