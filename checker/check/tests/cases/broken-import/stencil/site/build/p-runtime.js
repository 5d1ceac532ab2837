export const b = (list) => list.map(([chunk]) => import(`./${chunk}.entry.js${retry ? "?" + retry : ""}`));
