// Trees of packages are as they were on this day.
export const day = '2026-11-22';
