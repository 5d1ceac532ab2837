// Starts React after the first paint: when the browser is idle, or as soon as the visitor reaches for the header.
const reaches = ['pointerover', 'pointerdown', 'focusin', 'keydown'] as const;

let started = false;

function start(): void {
  if (started) return;
  started = true;
  for (const reach of reaches) document.removeEventListener(reach, onReach);
  void import('./hydrate.tsx');
}

function onReach(event: Event): void {
  if (event.target instanceof Element && event.target.closest('header') !== null) start();
}

function whenIdle(): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(start, { timeout: 3000 });
  else setTimeout(start, 300);
}

for (const reach of reaches) document.addEventListener(reach, onReach, { passive: true });
if (document.readyState === 'complete') whenIdle();
else window.addEventListener('load', whenIdle, { once: true });
