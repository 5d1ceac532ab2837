// Loads React as soon as the visitor does anything, all of its code at once. The build writes this into the interactive pages.
{
  const path = location.pathname;
  const signs = ['pointerover', 'pointerdown', 'keydown', 'focusin', 'scroll'];
  const start = () => {
    for (const sign of signs) removeEventListener(sign, start);
    // What does not come leaves the page the document that it is.
    for (const { href } of document.querySelectorAll('[rel=modulepreload]')) import(href).catch(() => {});
  };
  for (const sign of signs) addEventListener(sign, start, { passive: true });
  // Entries of the history that the router made change the address and not the page: until it is there, the browser opens them.
  onpopstate = () => location.pathname === path || location.reload();
}
