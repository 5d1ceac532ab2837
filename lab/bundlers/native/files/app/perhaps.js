// Reached by a guarded import: its absence changes the words, and is no error.
export const text = 'perhaps so';
