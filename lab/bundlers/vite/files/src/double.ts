// What the worker loads when it is asked.
export const double = (n: number): number => n * 2;
