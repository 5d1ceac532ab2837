export const lean = 1;
