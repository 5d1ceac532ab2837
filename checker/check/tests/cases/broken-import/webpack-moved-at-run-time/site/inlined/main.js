(()=>{var e={};const t={};
function n(r){return e[r](t[r],t[r].exports,n),t[r].exports}n.m=e,n.f={},
n.e=e=>Promise.all(Object.keys(n.f).reduce((t,r)=>(n.f[r](e,t),t),[])),
n.u=e=>"chunks/"+e+"."+{967:"9fbc9749",40:"60787cef"}[e]+".js",
n.p="/",
n.f.j=(t,r)=>{let o=e[t];if(0!==o)if(o)r.push(o[2]);else{n.l(n.p+n.u(t))}};
(self.webpackChunkinlined=self.webpackChunkNAME||[]).forEach(e),n.p=window.__assets,n.e(967).then(()=>n(967)),n.e(40)})();
