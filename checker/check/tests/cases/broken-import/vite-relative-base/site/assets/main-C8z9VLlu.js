const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./panel-BiGJCU7n.js","./panel-B4OBk1FS.css","./gone-B8IY7_bn.css","../root-B8IY7_bn.css"])))=>i.map(i=>d[i]);
import{t as n}from"./preload-helper-CDyDjxyl.js";n(()=>import(`./panel-BiGJCU7n.js`),__vite__mapDeps([0,1,2,3]),import.meta.url);
var photo=""+new URL(`photo-D4uBWr2K.png`,import.meta.url).href,lost=new URL(new URL(`lost-D4uBWr2K.png`,import.meta.url).href,self.location.href).href;
new Worker(new URL(""+new URL(`worker-pOhlU-Qd.js`,import.meta.url).href,import.meta.url),{type:`module`});
new Worker(new URL(`/assets/worker-gone1Ab.js`,""+import.meta.url));
