// The behavior of the Features menu.
import styles from '#components/FeaturesMenu.module.css';
import { featuresMenuId } from '#components/menu-ids.ts';

const closeDelay = Number.parseFloat(styles['closeDelay'] ?? '');

/**
 * The popover opens by tap, Enter and Space, and closes on Escape and on a press outside, even without scripts. This adds hover
 * with a close delay, ArrowDown, and closing on choice and when focus leaves. `data-menu` turns off hover by CSS.
 */
export function watchFeaturesMenu(): void {
  const panel = document.getElementById(featuresMenuId);
  const menu = panel?.parentElement;
  const button = menu?.querySelector('button');
  if (!panel || !menu || !button) return;
  let timer: number | undefined;

  const isOpen = () => panel.matches(':popover-open');
  const stay = () => window.clearTimeout(timer);
  const show = () => {
    stay();
    if (!isOpen()) panel.showPopover();
  };
  const close = () => {
    stay();
    panel.hidePopover();
  };
  const report = (open: boolean) => {
    menu.dataset['menu'] = open ? 'open' : 'closed';
    button.setAttribute('aria-expanded', `${open}`);
  };

  // Start with the visible state.
  if (menu.matches(':hover')) show();
  report(isOpen());
  panel.addEventListener('beforetoggle', ({ newState }) => report(newState === 'open'));

  menu.addEventListener('pointerenter', ({ pointerType }) => {
    if (pointerType === 'mouse') show();
  });
  menu.addEventListener('pointerleave', ({ pointerType }) => {
    if (pointerType !== 'mouse') return;
    stay();
    timer = window.setTimeout(close, closeDelay);
  });
  // A mouse has already opened the menu by hovering, so its click must not close it. Tap and keys toggle.
  button.addEventListener('click', (event) => {
    if (event instanceof PointerEvent && event.pointerType === 'mouse' && isOpen()) event.preventDefault();
  });
  panel.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) close();
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) close();
  });
  menu.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    show();
    const items = [...panel.querySelectorAll('a')];
    const at = items.findIndex((item) => item === document.activeElement);
    items.at(at < 0 ? (step > 0 ? 0 : -1) : (at + step) % items.length)?.focus();
  });
}
