const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/panel-BaUeCEgX.js","assets/panel-B4OBk1FS.css","assets/gone-Nn0TKqEJ.js","assets/gone-B8IY7_bn.css"])))=>i.map(i=>d[i]);
import{t as n}from"./preload-helper-CB7pmutz.js";n(async()=>{let{open:e}=await import(`./panel-BaUeCEgX.js`);return{open:e}},__vite__mapDeps([0,1,2,3]));n(()=>import(`./chart-gone1AB2.js`),[]);
