export const my_clock = class {};
