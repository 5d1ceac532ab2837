// Shared by two lazy modules only, so that it becomes a separate chunk.
const shades = ['white', 'silver', 'grey', 'slate', 'charcoal', 'black'];

export const shade = (n) => `${shades[n % shades.length]} (${shades.join(' ').length} letters)`;
