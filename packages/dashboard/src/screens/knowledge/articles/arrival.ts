import { type RefObject, useEffect, useRef } from 'react';

/**
 * Gives what comes the focus, for something with `tabIndex` -1: the button that brought one here is gone, and a keyboard
 * would begin at the top of the page again.
 */
export function useArrival<T extends HTMLElement>(): RefObject<T | null> {
  const place = useRef<T>(null);
  useEffect(() => place.current?.focus(), []);
  return place;
}
