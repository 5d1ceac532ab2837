// Shared by both pages: a button with an action, and an output line.
import './page.css';

const main = () => document.querySelector('main');

export function line(text) {
  const made = document.createElement('p');
  made.textContent = text;
  main().append(made);
  return made;
}

export function button(name, act) {
  const made = document.createElement('button');
  made.textContent = name;
  made.addEventListener('click', () => void act());
  main().append(made);
}

export function picture(address) {
  const made = new Image();
  made.alt = 'picture';
  made.src = address;
  main().append(made);
}
