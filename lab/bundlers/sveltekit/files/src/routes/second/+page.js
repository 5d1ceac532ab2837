// Data for the second page.
/** @param {{ fetch: typeof fetch }} event */
export async function load() {
  const { greeting } = await import('#lib/greeting.js');
  return { greeting };
}
