import { b as load } from "./p-other.js";
load(JSON.parse('[["p-33333333",[[1,"my-clock"]]],["p-44444444",[[1,"my-map"]]]]'), {});
