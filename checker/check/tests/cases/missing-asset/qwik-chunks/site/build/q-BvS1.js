const f = () => import("./q-deep.js"); export { f as s_jf }
