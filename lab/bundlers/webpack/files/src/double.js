// What the worker loads when it is asked.
export const double = (n) => n * 2;
