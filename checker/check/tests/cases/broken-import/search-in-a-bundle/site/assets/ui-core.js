class U{async go(){return await import(`${this.options.bundlePath}pagefind.js`)}}export{U as PagefindUI};
