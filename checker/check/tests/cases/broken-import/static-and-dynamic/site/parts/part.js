export default 1;
export const part = 2, other = 3;
