// Loaded by the worker on request.
export const double = (n) => n * 2;
