// Reached only by a re-export.
export const again = 'again';
