// One of the notes that a glob finds.
export const note = 'the first note';
