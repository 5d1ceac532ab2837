// Data for the second page, at build time.
export const data = () => ({ greeting: 'Welcome aboard' });
