addEventListener("message",async({data:e})=>{let{double:s}=await import("./worker-double-GDXGQRM2.js");postMessage(s(e))});
//# sourceMappingURL=worker.js.map
