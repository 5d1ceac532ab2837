// What the second page is told at build time.
export const data = () => ({ greeting: 'Welcome aboard' });
