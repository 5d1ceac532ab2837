// Adds the numbers up to the received one.
self.addEventListener('message', ({ data }) => {
  let sum = 0;
  for (let number = 1; number <= data; number += 1) sum += number;
  self.postMessage(sum);
});
