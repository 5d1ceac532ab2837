// Adds the numbers up to the received one. Without an import of its own it would start with a runtime that it does not have.
self.addEventListener('message', async ({ data }) => {
  const { plural } = await import('./plural');
  let sum = 0;
  for (let number = 1; number <= data; number += 1) sum += number;
  self.postMessage(plural(sum, 'ship'));
});
