import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { whenIdle } from '../when-idle.ts';

interface Rows<T> {
  /** Names the list: another one begins at a place of its own. */
  place: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  /** All rows are of one height. */
  rowPx: number;
  /** So many more on each side. */
  ahead: number;
}

interface RowsInView {
  first: number;
  /** Behind the last. */
  end: number;
  /** Of the list: it is as high as all of its rows, and begins where those in view stand. */
  style: { height: number; paddingTop: number };
  /** Scrolls to a row, no further than it has to. */
  reveal: (at: number) => void;
}

const boxOf = (list: HTMLElement | null): HTMLElement | null | undefined =>
  list?.closest<HTMLElement>('.scroll-y');

/** So many rows are asked whether they stand elsewhere. */
const LOOKED_AT = 20;

/** How much of the list lies above what its box shows. */
const abovePx = (list: HTMLElement, box: HTMLElement): number =>
  box.getBoundingClientRect().top - list.getBoundingClientRect().top;

/**
 * How many rows further down, than at `top` and below it, those that were seen there stand now. One that has left its
 * neighbour has moved by itself, and says nothing of the others.
 */
export function shiftOf<T>(
  before: readonly T[],
  top: number,
  after: readonly T[],
  keyOf: (item: T) => string,
): number {
  const keyAt = (items: readonly T[], at: number): string | undefined =>
    items.slice(at, at + 1).map(keyOf)[0];
  for (let at = top; at < Math.min(top + LOOKED_AT, before.length - 1); at += 1) {
    const key = keyAt(before, at);
    const now = after.findIndex((item) => keyOf(item) === key);
    if (now !== -1 && keyAt(after, now + 1) === keyAt(before, at + 1)) return now - at;
  }
  return 0;
}

/**
 * Which rows of a long list the box that it scrolls in shows, and a few around them. Renders again only when those are
 * others: a row is to be no more than its place, for what is asked of every row at every scroll is what makes it slow. For
 * the same reason rows stand one below the other, each `isolate`d: a row that stays is painted from what was kept of it,
 * and one that comes in costs a third less than one that is placed by itself and contained.
 */
export function useRowsInView<T>(
  list: RefObject<HTMLElement | null>,
  { place, items, keyOf, rowPx, ahead }: Rows<T>,
): RowsInView {
  const count = items.length;
  const [above, setAbove] = useState(0);
  const [fit, setFit] = useState(0);
  useLayoutEffect(() => {
    const box = boxOf(list.current);
    if (!box) return;
    const look = (): void => {
      if (list.current) setAbove(Math.floor(abovePx(list.current, box) / rowPx));
      setFit(Math.ceil(box.clientHeight / rowPx) + 1);
    };
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      watcher.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [list, rowPx]);
  const reveal = useCallback(
    (at: number): void => {
      const box = boxOf(list.current);
      if (!list.current || !box) return;
      const rowAbove = abovePx(list.current, box) - at * rowPx;
      const rowBelow = rowPx - rowAbove - box.clientHeight;
      if (rowAbove > 0) box.scrollTop -= rowAbove;
      else if (rowBelow > 0) box.scrollTop += rowBelow;
    },
    [list, rowPx],
  );
  const top = Math.min(Math.max(0, above), count);
  const first = Math.max(0, top - ahead);
  // The browser holds no place in a list whose height is set: what comes in above would push on what somebody reads.
  const shown = useRef({ place, items, top });
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { place, items, top };
    if (before.items === items || before.place !== place) return;
    const box = boxOf(list.current);
    if (!box || !list.current || abovePx(list.current, box) <= 0) return;
    const rows = shiftOf(before.items, before.top, items, keyOf);
    if (rows === 0) return;
    box.scrollTop += rows * rowPx;
    setAbove(Math.floor(abovePx(list.current, box) / rowPx));
  }, [list, place, items, keyOf, top, rowPx]);
  const style = { height: count * rowPx, paddingTop: first * rowPx };
  return { first, end: Math.min(count, top + fit + ahead), style, reveal };
}

/** More is loaded when so many rows are left. */
const NEAR_END = 60;

interface More {
  count: number;
  /** Behind the last row in view. */
  end: number;
  hasMore: boolean;
  /** Keeps its identity while nothing came in. */
  onMore: () => void;
}

/** Loads a list on before its end comes into view. */
export function useMoreNearEnd({ count, end, hasMore, onMore }: More): void {
  const isNear = hasMore && end >= count - NEAR_END;
  useEffect(() => (isNear ? whenIdle(onMore) : undefined), [isNear, onMore]);
}

/** So long after the last turn of the wheel a list is at rest. */
const REST_MS = 100;

/**
 * Marks the list, whose class is `hover-at-rest`, while it is scrolled: the rows that pass below the pointer are not
 * hovered one after the other, which would cost each frame as much as a row that comes in.
 */
export function useHoverAtRest(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = boxOf(list.current);
    let scrolledAt = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = (): void => {
      const left = scrolledAt + REST_MS - performance.now();
      timer = left > 0 ? setTimeout(rest, left) : undefined;
      if (timer === undefined) list.current?.removeAttribute('data-scrolling');
    };
    const scroll = (): void => {
      scrolledAt = performance.now();
      if (timer !== undefined) return;
      list.current?.setAttribute('data-scrolling', '');
      timer = setTimeout(rest, REST_MS);
    };
    box?.addEventListener('scroll', scroll, { passive: true });
    return () => {
      box?.removeEventListener('scroll', scroll);
      clearTimeout(timer);
    };
  }, [list]);
}
