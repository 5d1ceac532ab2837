// Keeps one sample request open on wide screens, where the open one is the right column.

/** Ignores clicks on the open request, which keys can do. The styles decide which screens are wide. */
export function keepRequestOpen(): void {
  document.addEventListener('click', (event) => {
    const summary = event.target instanceof Element ? event.target.closest('[name="request"] > summary') : null;
    if (summary !== null && getComputedStyle(summary).pointerEvents === 'none') event.preventDefault();
  });
}
