export const note = `the second note`;
