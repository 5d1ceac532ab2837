import "./deeper/deep.js";
export const other = 1;
