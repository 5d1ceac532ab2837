export const size = 1;
