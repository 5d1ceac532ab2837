(()=>{let i=document.currentScript.src.replace(/[^/]+$/,"");class P{async go(){try{this.p=await import(`${i}pagefind.js`)}catch(e){console.error(e)}}}window.PagefindUI=P})();
