// The behavior of the phone menu.
import { phoneMenuId } from '#components/menu-ids.ts';

/** Adds a scroll lock, and closes the menu on choice, when focus leaves, and on wide screens, which have no such menu. */
export function watchPhoneMenu(): void {
  const panel = document.getElementById(phoneMenuId);
  if (panel === null) return;
  const close = () => panel.hidePopover();

  panel.dataset['phoneMenu'] = 'managed';
  // Opening the menu focuses Close. Not in the HTML: browsers would log that an address with a fragment prevents it.
  panel.querySelector('button')?.setAttribute('autofocus', '');
  window.matchMedia('(min-width: 60em)').addEventListener('change', close);
  panel.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a:not([target])') !== null) close();
  });
  panel.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !panel.contains(relatedTarget)) close();
  });
}
