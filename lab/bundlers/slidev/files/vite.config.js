// Lightning CSS rejects a rule of this version of UnoCSS.
export default { build: { cssMinify: false } };
