// The head of all pages.
const base = import.meta.env.BASE_URL.replace(/\/?$/, '/');

export const Head = () => <link rel="icon" href={`${base}icon.svg`} />;
