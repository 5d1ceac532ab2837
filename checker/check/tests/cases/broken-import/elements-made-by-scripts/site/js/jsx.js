export const jsx = (name, attributes) => ({ name, attributes });
