// Shared by both pages: a button with an action, and an output line.
import './page.css';

export function line(text: string): HTMLParagraphElement {
  const made = document.createElement('p');
  made.textContent = text;
  document.querySelector('main')!.append(made);
  return made;
}

export function button(name: string, act: () => void | Promise<void>): void {
  const made = document.createElement('button');
  made.textContent = name;
  made.addEventListener('click', () => void act());
  document.querySelector('main')!.append(made);
}
