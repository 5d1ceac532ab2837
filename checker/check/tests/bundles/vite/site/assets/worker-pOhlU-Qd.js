addEventListener(`message`,async({data:e})=>{let{double:t}=await import(`./double-B6Sjo4PY.js`);postMessage(t(e))});
//# sourceMappingURL=worker-pOhlU-Qd.js.map