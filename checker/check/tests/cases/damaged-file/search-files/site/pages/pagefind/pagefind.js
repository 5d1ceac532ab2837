var P=class{async loadEntry(){let u=`${this.basePath}pagefind-entry.json`;return await(await fetch(u)).json()}};export const search=()=>new P().loadEntry();
