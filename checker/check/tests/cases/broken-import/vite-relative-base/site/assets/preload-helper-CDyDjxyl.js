var whole=function(e,t){return new URL(e,t).href};const seen = {};
export const preload = function (load, deps) {
  return Promise.all((deps ?? []).map((dep) => {
    dep = whole(dep);
    const link = document.createElement("link");
    link.rel = dep.endsWith(".css") ? "stylesheet" : `modulepreload`;
    link.href = dep;
    return new Promise((done, fail) => { link.onload = done; link.onerror = fail; });
  })).then(load);
};
export{preload as t};
