// What all pages have in their head.
const base = import.meta.env.BASE_URL.replace(/\/?$/, '/');

export const Head = () => <link rel="icon" href={`${base}icon.svg`} />;
