import { type RefObject, useEffect, useRef } from 'react';

/**
 * Focuses the new content, an element with `tabIndex` -1: the button that led here is gone, and a keyboard would
 * start at the top of the page again.
 */
export function useArrival<T extends HTMLElement>(): RefObject<T | null> {
  const place = useRef<T>(null);
  useEffect(() => place.current?.focus(), []);
  return place;
}
