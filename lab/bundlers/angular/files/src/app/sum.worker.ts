// Adds the numbers up to the one it is sent.
/// <reference lib="webworker" />

addEventListener('message', ({ data }) => {
  let sum = 0;
  for (let number = 1; number <= data; number += 1) sum += number;
  postMessage(sum);
});
