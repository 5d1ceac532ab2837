var o=()=>document.querySelector("main");function d(e){let t=document.createElement("p");return t.textContent=e,o().append(t),t}function i(e,t){let n=document.createElement("button");n.textContent=e,n.addEventListener("click",()=>{t()}),o().append(n)}function u(e){let t=new Image;t.alt="picture",t.src=e,o().append(t)}export{d as a,i as b,u as c};
//# sourceMappingURL=chunk-3IY4COOF.js.map
