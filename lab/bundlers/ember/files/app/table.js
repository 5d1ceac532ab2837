// The tide table.
export const table = () => ['Elbhafen: high water at 4', 'Nordkai: high water at 5'];
