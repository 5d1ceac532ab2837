// The behaviour of the Features menu, apart from how it looks.
import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';

const links = (root: HTMLElement | null): HTMLElement[] => [...(root?.querySelectorAll<HTMLElement>('a[href]') ?? [])];

/**
 * Opens on hover, tap, Enter, Space and ArrowDown; closes `delay` ms after the pointer leaves, on Escape, when focus
 * leaves and on choice. `state` is undefined until React is in charge, so that the CSS menu works until then.
 */
export function useFeaturesMenu(delay: number) {
  const [open, setOpen] = useState(false);
  const [managed, setManaged] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const timer = useRef<number | undefined>(undefined);

  const stay = () => window.clearTimeout(timer.current);
  const close = () => {
    stay();
    setOpen(false);
  };

  // Take over in the state the visitor sees.
  useEffect(() => {
    setManaged(true);
    setOpen(root.current?.matches(':hover, :focus-within') ?? false);
    return () => window.clearTimeout(timer.current);
  }, []);

  useEffect(() => {
    if (!open) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      window.clearTimeout(timer.current);
      setOpen(false);
      button.current?.focus();
    };
    const onPress = (event: globalThis.PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPress);
    };
  }, [open]);

  const events = {
    onPointerEnter: (event: PointerEvent) => {
      if (event.pointerType !== 'mouse') return;
      stay();
      setOpen(true);
    },
    onPointerLeave: (event: PointerEvent) => {
      if (event.pointerType !== 'mouse') return;
      stay();
      timer.current = window.setTimeout(() => setOpen(false), delay);
    },
    // A mouse has already opened the menu by hovering, so its click must not shut it; tap and keys toggle.
    onClick: (event: MouseEvent) => {
      if (!(event.target instanceof Node) || !button.current?.contains(event.target)) return;
      const byMouse = event.nativeEvent instanceof globalThis.PointerEvent && event.nativeEvent.pointerType === 'mouse';
      stay();
      setOpen((was) => byMouse || !was);
    },
    onBlur: (event: FocusEvent) => {
      if (event.relatedTarget instanceof Node && !root.current?.contains(event.relatedTarget)) close();
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      setOpen(true);
      const items = links(root.current);
      const at = items.findIndex((item) => item === document.activeElement);
      // The list is hidden until React has drawn it open; only then can it take focus.
      window.requestAnimationFrame(() => items.at(at < 0 ? (step > 0 ? 0 : -1) : (at + step) % items.length)?.focus());
    },
  };

  return { open, state: managed ? (open ? 'open' : 'closed') : undefined, root, button, events, close } as const;
}
