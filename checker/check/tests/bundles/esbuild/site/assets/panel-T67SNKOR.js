import{a as e}from"./chunk-2JO5KOH7.js";import{a as o}from"./chunk-3IY4COOF.js";function l(){o(`The panel is ${e(3)}`).className="panel"}export{l as open};
//# sourceMappingURL=panel-T67SNKOR.js.map
