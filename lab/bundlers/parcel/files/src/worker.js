// A worker with a lazy module of its own.
addEventListener('message', async ({ data }) => {
  const { double } = await import('./double.js');
  postMessage(double(data));
});
