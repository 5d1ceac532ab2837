export const s_a = 1;
