// Shared by two lazy pieces only, so that it becomes a chunk of its own.
const shades = ['white', 'silver', 'grey', 'slate', 'charcoal', 'black'];

export const shade = (n) => `${shades[n % shades.length]} (${shades.join(' ').length} letters)`;
