// A lazy module with a bare name that only a scope of the import map knows.
import words from 'words';

export const text = `words: ${words.join(', ')}`;
