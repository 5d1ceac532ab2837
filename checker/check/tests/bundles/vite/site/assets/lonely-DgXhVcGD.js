import{r as e}from"./preload-helper-BTJQTseT.js";var t=()=>void e(`Nobody else loads this`);export{t as say};
//# sourceMappingURL=lonely-DgXhVcGD.js.map