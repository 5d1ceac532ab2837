var e=`the second note`;export{e as note};
//# sourceMappingURL=second-DEOrbA9Y.js.map