var e={name:`data that came late`};export{e as default};
//# sourceMappingURL=data-BUBnc9RT.js.map