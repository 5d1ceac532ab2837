// Imported by the module worker on request.
export const square = (n) => n * n;
