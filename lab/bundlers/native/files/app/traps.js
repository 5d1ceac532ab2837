// Code that looks like a load of a missing file but is not: it must not cause an error.
export const inNode = () => (typeof process === 'undefined' ? undefined : import('node:fs'));
export const withPackage = () => (typeof process === 'undefined' ? undefined : import('some-package'));
export const save = (body) => fetch('/api/save', { method: 'POST', body });
export const usually = (input = new URL('usual_bg.wasm', import.meta.url)) => fetch(input);
export const locale = (name) => import(`./locales/${name}.js`);
export const guarded = async () => {
  try {
    return await import('./guarded.js');
  } catch {
    return undefined;
  }
};
export const caught = () => import('./caught.js').then(({ text }) => text, () => undefined);

// import('./in-a-comment.js')
export const text = "import('./in-a-string.js'); new Worker('./worker-in-a-string.js')";
export const pattern = /import\('\.\/in-a-pattern\.js'\)/;
export const method = { import: (name) => name, importScripts: (name) => name };
export const called = [method.import('./a-method.js'), method.importScripts('./another-method.js')];
