// The greeting of the second page.
export const greeting = 'Welcome aboard';
