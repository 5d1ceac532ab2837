export const two = { href: "/in-two-templates" };
