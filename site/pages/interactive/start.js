// Loads the scripts of the page when the visitor first interacts, and prepares view transitions between pages. The build
// inlines this into the head of the interactive pages.
{
  // The first three also load again after a failure.
  const signs = ['pointerdown', 'keydown', 'online', 'pointerover', 'focusin', 'scroll'];
  const listen = (events) => {
    for (const event of events) addEventListener(event, start);
  };
  const start = () => {
    for (const sign of signs) removeEventListener(sign, start);
    Promise.all([...document.querySelectorAll('[rel=modulepreload]')].map(({ href }) => import(href))).catch(() => {
      // The page stays a plain document. The next press loads again, and is not repeated together with those that had no effect.
      earlyClicks &&= [];
      listen(signs.slice(0, 3));
    });
  };
  listen(signs);
  // Clicks that need React. It repeats them when it is there.
  window.earlyClicks = [];
  addEventListener('click', ({ target, ctrlKey, metaKey, shiftKey }) => {
    if (!(ctrlKey || metaKey || shiftKey)) earlyClicks?.push(target.closest('button:not([popovertarget]), [href^="#bill="]'));
  });
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the block keeps it out of the global scope
  const afterFrame = (act) => requestAnimationFrame(() => setTimeout(act));
  // The way back and a reload restore the scroll position at once. Smooth scrolling begins with the first click.
  const { dataset } = document.documentElement;
  if (performance.getEntriesByType('navigation')[0]?.type !== 'navigate') dataset.restored = '';
  else if (!location.hash) {
    // The first two frames lay out only sections that may be on the screen, which site.css lists.
    dataset.frame = 1;
    // Not before: asking for a frame makes the browser draw a page that it has only a part of.
    addEventListener('DOMContentLoaded', () =>
      afterFrame(() => {
        dataset.frame = 2;
        afterFrame(() => delete dataset.frame);
      }),
    );
  }
  addEventListener('click', () => delete dataset.restored, { capture: true });
  // The address holds a bill to show.
  if (location.hash.startsWith('#bill=')) addEventListener('DOMContentLoaded', start);

  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the block keeps it out of the global scope
  const inSight = (element) => {
    const { top, bottom } = element?.getBoundingClientRect() ?? {};
    return bottom > 0 && top < innerHeight;
  };
  // The bills of both pages have the same transition name. If the bill is out of sight, the card of the other page has it.
  const carry = (transition, other) => {
    // Going on before a transition is done skips it, which is no error.
    for (const part of ['ready', 'finished']) transition?.[part].catch(() => {});
    document.querySelector('[data-card][data-carried]')?.removeAttribute('data-carried');
    delete dataset.carried;
    if (!transition || inSight(document.querySelector('[data-bill]'))) return;
    dataset.carried = '';
    const card = other && document.querySelector(`[data-card="${new URL(other).pathname.slice(1)}"]`);
    if (inSight(card)) card.dataset.carried = '';
  };
  addEventListener('pageswap', ({ viewTransition, activation }) => carry(viewTransition, activation?.entry.url));
  addEventListener('pagereveal', ({ viewTransition }) => carry(viewTransition, window.navigation?.activation?.from?.url));
}
