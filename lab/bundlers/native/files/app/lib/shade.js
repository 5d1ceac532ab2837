// Reached by a prefix in the import map.
const shades = ['white', 'silver', 'grey', 'slate', 'charcoal', 'black'];

export const shade = (n) => shades[n % shades.length];
