import { useLayoutEffect, useRef } from 'react';

const places = new Map<string, number>();

/** Remembers a list's scroll position, so that returning restores it. */
export function useScrollPlace<T extends HTMLElement>(key: string) {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    element.scrollTop = places.get(key) ?? 0;
    const keep = (): void => void places.set(key, element.scrollTop);
    element.addEventListener('scroll', keep, { passive: true });
    return () => element.removeEventListener('scroll', keep);
  }, [key]);
  return ref;
}
