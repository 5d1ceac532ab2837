const a = 1;
export { a };
export default a;
