// A lazy module with a bare specifier that only a scope of the import map resolves.
import words from 'words';

export const text = `words: ${words.join(', ')}`;
