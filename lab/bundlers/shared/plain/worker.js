// A worker with a lazy module.
addEventListener('message', async ({ data }) => {
  const { double } = await import('./double.js');
  postMessage(double(data));
});
