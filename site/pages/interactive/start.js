// Loads all code of React when the visitor first interacts. The build inlines this into the interactive pages.
{
  const path = location.pathname;
  const signs = ['pointerover', 'pointerdown', 'keydown', 'focusin', 'scroll'];
  const start = () => {
    for (const sign of signs) removeEventListener(sign, start);
    // If loading fails, the page stays a plain document.
    for (const { href } of document.querySelectorAll('[rel=modulepreload]')) import(href).catch(() => {});
  };
  for (const sign of signs) addEventListener(sign, start, { passive: true });
  // Clicks on buttons that need React. It repeats them when it is there.
  window.earlyClicks = [];
  addEventListener('click', ({ target }) => earlyClicks?.push(target.closest('button:not([popovertarget])')));
  // The address holds a bill to show.
  window.openedHash = location.hash;
  if (openedHash.startsWith('#bill=')) start();
  // Going on before the view transition of a navigation is done skips it, which is no error.
  for (const way of ['pageswap', 'pagereveal']) {
    addEventListener(way, ({ viewTransition }) => {
      for (const part of ['ready', 'finished']) viewTransition?.[part].catch(() => {});
    });
  }
  // History entries of the router change only the URL. Until it is loaded, the browser opens them.
  onpopstate = () => location.pathname === path || location.reload();
}
