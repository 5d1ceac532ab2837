const shades = [`white`, `silver`, `grey`, `slate`, `charcoal`, `black`];
const shade = (number) => shades[number % shades.length];
export { shade as s };
