// Stores the scroll position of each history entry, so that back and forward restore it.
import { useEffect, useLayoutEffect, useRef } from 'react';

const storageKey = 'scroll-positions';
const positions = new Map<string, number>();

/** Returns the position of an entry, if known. */
export function positionOf(key: string): number | undefined {
  return positions.get(key);
}

/** Stores the position of the current entry, in the session storage. */
export function usePositions(key: string): void {
  const current = useRef(key);
  useLayoutEffect(() => {
    current.current = key;
  }, [key]);
  useEffect(() => {
    try {
      const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
      if (Array.isArray(stored)) for (const [entry, top] of stored as [string, number][]) positions.set(entry, top);
    } catch {
      // Storage may be blocked. Positions are then lost with the page.
    }
    const keep = () => positions.set(current.current, window.scrollY);
    const leave = () => {
      window.history.scrollRestoration = 'auto';
      try {
        sessionStorage.setItem(storageKey, JSON.stringify([...positions]));
      } catch {
        // As above.
      }
    };
    const stay = () => {
      window.history.scrollRestoration = 'manual';
    };
    stay();
    keep();
    window.addEventListener('scroll', keep, { passive: true });
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', stay);
    return () => {
      window.removeEventListener('scroll', keep);
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', stay);
    };
  }, []);
}
