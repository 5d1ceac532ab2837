// Reached by an inline classic script alone.
export const boot = () => 'booted';
