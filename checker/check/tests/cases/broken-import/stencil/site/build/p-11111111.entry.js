import { b } from "./p-runtime.js"; export const my_tides = class {};
