var e=`the first note`;export{e as note};
//# sourceMappingURL=first-C__KVvVF.js.map