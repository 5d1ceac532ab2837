// Loaded by the worker on request.
export const double = (n: number): number => n * 2;
