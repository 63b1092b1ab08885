import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Drawn when a chat is opened; what stands before them comes in tasks of its own. */
const PARTS_FIRST = 2;
/** Nearer to the border of what is drawn than this, more of it is. */
const NEAR_PX = 800;
/** Of a part with words of one line only. */
const PART_LEAST_PX = 200;

interface Range {
  first: number;
  /** Null: up to the end, whatever comes. */
  last: number | null;
}

interface PartsOptions {
  scroller: RefObject<HTMLElement | null>;
  /** How many parts the chat has. */
  total: number;
  /** The part to begin with; without one, the end. */
  start: number | undefined;
  /** The end of what is drawn is in view. */
  isAtEnd: boolean;
  /** How many messages of the visitor's are on their way. */
  written: number;
}

/** The first parts to be drawn; `start`: the one to begin with, without which it is the end. */
const rangeFrom = (start: number | undefined, total: number): Range => {
  const end = Math.max(0, total - PARTS_FIRST);
  return start === undefined || start >= end
    ? { first: end, last: null }
    : { first: start, last: start + PARTS_FIRST - 1 };
};

/** Whether the end of the chat is among the parts that are drawn first. */
export const beginsAtEnd = (start: number | undefined, total: number): boolean =>
  rangeFrom(start, total).last === null;

/**
 * Which parts of a long chat are drawn: those around what is in view, which never moves when they change. One part more
 * at a time, each in a task of its own, so that none is long however fast one scrolls.
 */
export const useParts = ({ scroller, total, start, isAtEnd, written }: PartsOptions) => {
  const [range, setRange] = useState(() => rangeFrom(start, total));
  const most = Math.ceil(((scroller.current?.clientHeight ?? 0) + 2 * NEAR_PX) / PART_LEAST_PX) + 2;
  const totalBefore = useRef(total);
  const { first, last: until } = bounded(range, { total, added: total - totalBefore.current, isAtEnd, most });
  const isWhole = until === null;
  const last = until ?? total - 1;
  totalBefore.current = total;

  // Something in view, and where it stands.
  const anchor = useRef<{ element: Element; top: number } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  /** Where the list stood, to know which way it goes; what is drawn ahead is drawn that way. */
  const topBefore = useRef(0);
  const isUpward = useRef(true);
  const hadFocus = scroller.current?.contains(document.activeElement);

  const move = (next: Range) => {
    const box = scroller.current;
    const element = box && firstInView(box);
    anchor.current = element ? { element, top: element.getBoundingClientRect().top } : null;
    setRange(next);
  };
  const showEarlier = () => {
    if (first === 0) return;
    const next = first - 1;
    move({ first: next, last: last - next >= most ? next + most - 1 : until });
  };
  const showLater = () => {
    if (isWhole) return;
    const next = last + 1;
    move({ first: Math.max(first, next - most + 1), last: next >= total - 1 ? null : next });
  };
  const showEnd = () => {
    isUpward.current = true;
    setRange(rangeFrom(undefined, total));
  };
  const showStart = () => {
    isUpward.current = false;
    setRange(rangeFrom(0, total));
  };

  const draw = () => {
    const box = scroller.current;
    if (!box) return;
    const below = box.scrollHeight - box.scrollTop - box.clientHeight;
    // Where nothing is left to scroll, nobody could ask for more by scrolling.
    const isFirst = box.scrollTop < (isUpward.current ? NEAR_PX : 1) && first > 0;
    const isLast = below < (isUpward.current ? 1 : NEAR_PX) && !isWhole;
    if (isLast && !(isFirst && isUpward.current)) showLater();
    else if (isFirst) showEarlier();
  };
  const latest = useRef(draw);
  latest.current = draw;
  const drawSoon = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    });
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && anchor.current)
      box.scrollTop += anchor.current.element.getBoundingClientRect().top - anchor.current.top;
    anchor.current = null;
    topBefore.current = box?.scrollTop ?? 0;
    // What had the focus is no longer drawn: the keys go on moving the list.
    if (hadFocus && !box?.contains(document.activeElement)) box?.focus({ preventScroll: true });
    setRange((kept) => (kept.first === first && kept.last === until ? kept : { first, last: until }));
    drawSoon();
  }, [first, last]);

  // What the visitor has written comes into view, wherever they were reading.
  const writtenBefore = useRef(written);
  useEffect(() => {
    if (written > writtenBefore.current && !isWhole) showEnd();
    writtenBefore.current = written;
  }, [written]);

  return {
    first,
    last,
    isWhole,
    /** More than is drawn at once, so that its rows can't be counted by what is there. */
    isLong: total > most,
    showEarlier,
    showEnd,
    showStart,
    onScroll() {
      const box = scroller.current;
      if (!box) return;
      if (box.scrollTop !== topBefore.current) isUpward.current = box.scrollTop < topBefore.current;
      topBefore.current = box.scrollTop;
      drawSoon();
    },
  };
};

interface Bounds {
  total: number;
  /** Parts that are new since the last time. */
  added: number;
  isAtEnd: boolean;
  most: number;
}

/** No more than `most` parts: of those that come in at once, or while one reads older ones, not each is drawn. */
const bounded = (range: Range, { total, added, isAtEnd, most }: Bounds): Range => {
  if (range.last !== null) return range;
  if (isAtEnd)
    return { first: Math.max(range.first, total - (added > PARTS_FIRST ? PARTS_FIRST : most)), last: null };
  return total - range.first > 2 * most ? { first: range.first, last: range.first + most - 1 } : range;
};

/** By halves: to ask each row where it is would cost as much as to draw some more of them. */
const firstInView = (box: HTMLElement): Element | undefined => {
  const rows = box.querySelectorAll('.messages > li');
  const { top } = box.getBoundingClientRect();
  let [from, to] = [0, rows.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((rows[middle]?.getBoundingClientRect().bottom ?? 0) <= top) from = middle + 1;
    else to = middle;
  }
  return rows[from];
};
