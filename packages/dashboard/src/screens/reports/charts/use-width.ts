import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** An element's current width in pixels; 0 until it is rendered. */
export function useWidth<E extends HTMLElement>(): [ref: RefObject<E | null>, width: number] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const watcher = new ResizeObserver(() => setWidth(element.clientWidth));
    setWidth(element.clientWidth);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return [ref, width];
}
