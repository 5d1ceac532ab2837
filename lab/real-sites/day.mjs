// The date of all package versions.
export const day = '2026-11-22';
