// What the second page says first.
export const greeting = 'Welcome aboard';
