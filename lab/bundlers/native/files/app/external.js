// A classic script: its import() starts from itself, its worker from the document.
(() => {
  const main = document.querySelector('main');
  const add = (name, act) => {
    const made = document.createElement('button');
    made.textContent = name;
    made.addEventListener('click', act);
    main.append(made);
  };
  add('Import', async () => {
    const { say } = await import('./template.js');
    say();
  });
  add('Worker', () => {
    const worker = new Worker('app/classic-worker.js');
    worker.addEventListener('message', ({ data }) => {
      main.append(`the classic worker says ${data}`);
    });
    worker.postMessage(20);
  });
})();
