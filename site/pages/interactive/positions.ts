// Remembers how far each entry of the history was scrolled, so that back and forward return there.
import { useEffect, useLayoutEffect, useRef } from 'react';

const storageKey = 'scroll-positions';
const positions = new Map<string, number>();

/** Where an entry was left, if that is known. */
export function keptPosition(key: string): number | undefined {
  return positions.get(key);
}

/** Keeps the position of the current entry; survives a visit to a document and back. */
export function usePositions(key: string): void {
  const current = useRef(key);
  useLayoutEffect(() => {
    current.current = key;
  }, [key]);
  useEffect(() => {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
      if (Array.isArray(kept)) for (const [entry, top] of kept as [string, number][]) positions.set(entry, top);
    } catch {
      // Storage may be closed to the page; positions then last as long as the page does.
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
