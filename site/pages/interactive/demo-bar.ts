// Shows the bar of phones in browsers without scroll timelines.

/** Shows the bar while no other large demo button is on the screen. Scroll timelines do this without a script. */
export function watchDemoBar(): void {
  if (CSS.supports('animation-timeline: scroll()')) return;
  const bar = document.querySelector('[data-demo-bar]');
  const buttons = new Set<Element>();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      // The closing call is the last button: the bar does not come back below it.
      const past = target.closest('[data-closing]') !== null && boundingClientRect.top < 0;
      buttons[isIntersecting || past ? 'add' : 'delete'](target);
    }
    bar?.toggleAttribute('data-shown', buttons.size === 0);
  });
  for (const call of document.querySelectorAll('[data-opening] a[data-demo], [data-closing]')) observer.observe(call);
}
