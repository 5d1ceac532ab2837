// A worker with a lazy piece of its own.
addEventListener('message', async ({ data }) => {
  const { double } = await import('./double-CmXrzW5L.js');
  postMessage(double(data));
});
//# sourceMappingURL=worker-D4omwajG.js.map
