var e=["white","silver","grey","slate","charcoal","black"],s=t=>`${e[t%e.length]} (${e.join(" ").length} letters)`;export{s as a};
//# sourceMappingURL=chunk-2JO5KOH7.js.map
