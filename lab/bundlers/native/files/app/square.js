// What the module worker imports when it is asked.
export const square = (n) => n * n;
