// Finds text that visitors cannot see.

/**
 * Returns invisible text in main and footer, except text for screen readers only, drawings, and collapsed content. The menus, the demo
 * bar, the contents of legal pages, and the slip of phones and the receipt of wide screens, which are the same bill, have their own tests. Buttons that need
 * JavaScript are hidden on purpose.
 */
export function hiddenWords(): string[] {
  const hidden: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement?.closest('main, footer') === null ? null : node.parentElement;
    if (parent === null || (node.textContent ?? '').trim() === '' || parent.closest('.visually-hidden, script, style, title, desc, [data-demo-bar], [data-slip], [data-receipt], [data-scripted], [data-contents], [aria-hidden="true"]') !== null) continue;
    const folded = parent.closest('details:not([open])')?.querySelector('summary');
    if (folded?.checkVisibility() === true || parent === folded) continue;
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) hidden.push(node.textContent ?? '');
  }
  return hidden;
}
