(()=>{var e={1(e,t,n){n.p=config("staticUrl")+"/";n.e(407).then(()=>n(2));n.e(40)}};const t={};
function n(r){return e[r](t[r],t[r].exports,n),t[r].exports}n.m=e,n.f={},
n.e=e=>Promise.all(Object.keys(n.f).reduce((t,r)=>(n.f[r](e,t),t),[])),
n.u=e=>""+(407===e?"jlab_core":e)+"."+{40:"60787ce",407:"a86436d",500:"deadbe0"}[e]+".js",
n.p="/static/",
n.f.j=(t,r)=>{let o=e[t];if(0!==o)if(o)r.push(o[2]);else{n.l(n.p+n.u(t))}};
(self.webpackChunkother=self.webpackChunkNAME||[]).forEach(e)})();
