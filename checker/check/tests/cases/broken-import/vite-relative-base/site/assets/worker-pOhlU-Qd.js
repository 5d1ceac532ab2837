import(`./double-B6Sjo4PY.js`);
