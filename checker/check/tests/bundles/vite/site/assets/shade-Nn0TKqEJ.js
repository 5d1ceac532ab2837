var e=[`white`,`silver`,`grey`,`slate`,`charcoal`,`black`],t=t=>`${e[t%e.length]} (${e.join(` `).length} letters)`;export{t};
//# sourceMappingURL=shade-Nn0TKqEJ.js.map