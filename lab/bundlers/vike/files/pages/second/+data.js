// Data of the second page, from build time.
export const data = () => ({ greeting: 'Welcome aboard' });
