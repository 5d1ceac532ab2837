import{a as o}from"./chunk-2JO5KOH7.js";import{a as r}from"./chunk-3IY4COOF.js";function e(){r(`A chart, ${o(5)}`).className="chart"}export{e as draw};
//# sourceMappingURL=chart-KKYN2WPI.js.map
