import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { whenIdle } from '../when-idle.ts';

interface Rows<T> {
  /** Identifies the list: another one starts at its own position. */
  place: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  /** All rows have the same height. */
  rowPx: number;
  /** How many more rows to render on each side. */
  ahead: number;
}

interface RowsInView {
  first: number;
  /** After the last one. */
  end: number;
  /** For the list: as high as all of its rows, with padding up to the visible ones. */
  style: { height: number; paddingTop: number };
}

const boxOf = (list: HTMLElement | null): HTMLElement | null | undefined =>
  list?.closest<HTMLElement>('.scroll-y');

/**
 * Rows come and go in threes: a change of the list costs more than a row in it, in rendering, layout and paint. With
 * more at once, the frames in which they come would take too long on a slow machine.
 */
const STEP = 3;

/** How many rows are compared to detect a shift. */
const LOOKED_AT = 20;

/** The height of the list above the visible area. */
const abovePx = (list: HTMLElement, box: HTMLElement): number =>
  box.getBoundingClientRect().top - list.getBoundingClientRect().top;

/** How many rows are above the visible area, in steps. */
const rowsAbove = (list: HTMLElement, box: HTMLElement, rowPx: number): number =>
  Math.floor(abovePx(list, box) / rowPx / STEP) * STEP;

/** Scrolls a list to one of its rows, no further than necessary. */
export function revealRow(list: HTMLElement | null, at: number, rowPx: number): void {
  const box = boxOf(list);
  if (!list || !box) return;
  const rowAbove = abovePx(list, box) - at * rowPx;
  const rowBelow = rowPx - rowAbove - box.clientHeight;
  if (rowAbove > 0) box.scrollTop -= rowAbove;
  else if (rowBelow > 0) box.scrollTop += rowBelow;
}

/**
 * By how many rows the rows at and below `top` have moved down. A row that has left its neighbour has moved
 * alone, which says nothing about the others.
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
 * The visible rows of a long list, and a few around them. Renders again only when those change: the work per row
 * and change decides the speed. For the same reason rows are in normal flow, each `isolate`d: an existing row
 * is painted from its cached layer, and a new one costs a third less than one that is positioned and contained. The
 * list is `isolate`d too, which saves a tenth of paint; isolating the box that scrolls costs a third more.
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
      if (list.current) setAbove(rowsAbove(list.current, box, rowPx));
    };
    const measure = (): void => {
      look();
      setFit(Math.ceil(box.clientHeight / rowPx) + STEP);
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      watcher.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [list, rowPx]);
  const top = Math.min(Math.max(0, above), count);
  const first = Math.max(0, top - ahead);
  // Browsers don't anchor the scroll position in a list with a fixed height: new rows above would push down what is
  // being read.
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
    setAbove(rowsAbove(list.current, box, rowPx));
  }, [list, place, items, keyOf, top, rowPx]);
  const style = { height: count * rowPx, paddingTop: first * rowPx };
  return { first, end: Math.min(count, top + fit + ahead), style };
}

/** More is loaded when this many rows are left. */
const NEAR_END = 60;

interface More {
  count: number;
  /** After the last visible row. */
  end: number;
  hasMore: boolean;
  /** Keeps its identity while nothing was loaded. */
  onMore: () => void;
}

/** Loads more of a list before its end comes into view. */
export function useMoreNearEnd({ count, end, hasMore, onMore }: More): void {
  const isNear = hasMore && end >= count - NEAR_END;
  useEffect(() => (isNear ? whenIdle(onMore) : undefined), [isNear, onMore]);
}

/** A list is at rest this long after the last wheel event. */
const REST_MS = 100;

/**
 * Marks a list with the class `hover-at-rest` while it is scrolled: otherwise each row that passes below the
 * pointer would be hovered, which costs as much per frame as a new row.
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
