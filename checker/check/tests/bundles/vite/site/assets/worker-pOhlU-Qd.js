addEventListener(`message`, async ({ data }) => {
  const { double } = await import(`./double-B6Sjo4PY.js`);
  postMessage(double(data));
});
