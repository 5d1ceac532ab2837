console.info(1);
//# sourceMappingURL=data:application/json;base64,e30=
