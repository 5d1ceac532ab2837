// What the module worker imports.
export const half = (n) => n / 2;
