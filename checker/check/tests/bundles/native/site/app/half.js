// Imported by the module worker.
export const half = (n) => n / 2;
