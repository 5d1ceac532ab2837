// Imported in a try block: its absence changes the text, but is not an error.
export const text = 'perhaps so';
