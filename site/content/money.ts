// Formats amounts in dollars, for bills and for running text, independently of the locale of the build machine.

const withCommas = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ',');

/** On a bill: 8400 is $8,400.00. */
export function dollars(amount: number): string {
  const [whole = '0', cents = '00'] = amount.toFixed(2).split('.');
  return `$${withCommas(whole)}.${cents}`;
}

/** In running text and tables: $0, $0.0294, $5,040. */
export function money(amount: number): string {
  const [whole = '0', cents = ''] = String(Number(amount.toFixed(4))).split('.');
  return `$${withCommas(whole)}${cents === '' ? '' : `.${cents.padEnd(2, '0')}`}`;
}
