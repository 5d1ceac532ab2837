// One of the notes that a computed import finds.
export const note = 'the second note';
