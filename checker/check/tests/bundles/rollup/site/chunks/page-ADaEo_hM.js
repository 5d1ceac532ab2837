// What both pages share: a button that acts, and a line to write on.
const main = () => document.querySelector('main');

function line(text) {
  const made = document.createElement('p');
  made.textContent = text;
  main().append(made);
  return made;
}

function button(name, act) {
  const made = document.createElement('button');
  made.textContent = name;
  made.addEventListener('click', () => void act());
  main().append(made);
}

function picture(address) {
  const made = new Image();
  made.alt = 'picture';
  made.src = address;
  main().append(made);
}

export { button as b, line as l, picture as p };
//# sourceMappingURL=page-ADaEo_hM.js.map
