export const note = `the first note`;
