// The behavior of the Features menu.
import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent, type PointerEvent, type ToggleEvent } from 'react';

const isOpen = (popover: HTMLElement | null): boolean => popover?.matches(':popover-open') ?? false;

/**
 * The popover opens by tap, Enter and Space, and closes on Escape and on a press outside, even without React. This hook adds
 * hover with a close `delay` in ms, ArrowDown, and closing on choice and when focus leaves. `open` is undefined before
 * hydration, when hover works by CSS.
 */
export function useFeaturesMenu(delay: number) {
  const [open, setOpen] = useState<boolean>();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const timer = useRef<number | undefined>(undefined);

  const stay = () => window.clearTimeout(timer.current);
  const show = () => {
    stay();
    if (!isOpen(panel.current)) panel.current?.showPopover();
  };
  const close = () => {
    stay();
    panel.current?.hidePopover();
  };

  // Start with the visible state.
  useEffect(() => {
    if (root.current?.matches(':hover') && !isOpen(panel.current)) panel.current?.showPopover();
    setOpen(isOpen(panel.current));
    return () => window.clearTimeout(timer.current);
  }, []);

  const events = {
    onPointerEnter: (event: PointerEvent) => {
      if (event.pointerType === 'mouse') show();
    },
    onPointerLeave: (event: PointerEvent) => {
      if (event.pointerType !== 'mouse') return;
      stay();
      timer.current = window.setTimeout(close, delay);
    },
    // A mouse has already opened the menu by hovering, so its click must not close it. Tap and keys toggle.
    onClick: (event: MouseEvent) => {
      if (!(event.target instanceof Node) || !button.current?.contains(event.target)) return;
      const byMouse = event.nativeEvent instanceof globalThis.PointerEvent && event.nativeEvent.pointerType === 'mouse';
      if (byMouse && isOpen(panel.current)) event.preventDefault();
    },
    onBlur: (event: FocusEvent) => {
      if (event.relatedTarget instanceof Node && !root.current?.contains(event.relatedTarget)) close();
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      show();
      const items = [...(panel.current?.querySelectorAll('a') ?? [])];
      const at = items.findIndex((item) => item === document.activeElement);
      items.at(at < 0 ? (step > 0 ? 0 : -1) : (at + step) % items.length)?.focus();
    },
  };

  const onBeforeToggle = (event: ToggleEvent) => setOpen(event.newState === 'open');
  return { open, root, button, panel, events, onBeforeToggle, close } as const;
}
