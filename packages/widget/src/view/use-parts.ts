import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Parts drawn when a chat is opened. Earlier ones follow in separate tasks. */
const PARTS_FIRST = 2;
/** When the visitor is this close to the edge of what is drawn, more is drawn. */
const NEAR_PX = 800;
/** The height of a part with one-line messages. */
const PART_LEAST_PX = 200;

interface Range {
  first: number;
  /** Null: up to the end, including new messages. */
  last: number | null;
}

type Scroller = RefObject<HTMLElement | null>;

interface PartsOptions {
  scroller: Scroller;
  /** The chat's number of parts. */
  total: number;
  /** The part to start with; without one, the end. */
  start: number | undefined;
  /** The end of what is drawn is in view. */
  isAtEnd: boolean;
  /** How many of the visitor's messages are pending. */
  written: number;
}

/** The parts drawn first, around `start`, or at the end without it. */
const rangeFrom = (start: number | undefined, total: number): Range => {
  const end = Math.max(0, total - PARTS_FIRST);
  return start === undefined || start >= end
    ? { first: end, last: null }
    : { first: start, last: start + PARTS_FIRST - 1 };
};

/** Whether the end of the chat is among the parts drawn first. */
export const beginsAtEnd = (start: number | undefined, total: number): boolean =>
  rangeFrom(start, total).last === null;

/**
 * Keeps the view and the focus in place while other parts are drawn.
 * @returns a function to call before parts change
 */
const useAnchor = (scroller: Scroller, first: number, last: number) => {
  const anchor = useRef<{ element: Element; top: number } | null>(null);
  const hadFocus = scroller.current?.contains(document.activeElement);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && anchor.current)
      box.scrollTop += anchor.current.element.getBoundingClientRect().top - anchor.current.top;
    anchor.current = null;
    // The focused element is no longer drawn: keys should still scroll the list.
    if (hadFocus && !box?.contains(document.activeElement)) box?.focus({ preventScroll: true });
  }, [first, last]);
  return () => {
    const box = scroller.current;
    const element = box && firstInView(box);
    anchor.current = element ? { element, top: element.getBoundingClientRect().top } : null;
  };
};

/** Runs the latest `work` in a separate task, once for all calls meanwhile. */
const useSoon = (work: () => void) => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    });
  };
};

/**
 * Which parts of a long chat are drawn: those around the view, which never moves when they change. Adds one part
 * per task, so that no task is long however fast one scrolls.
 */
export const useParts = ({ scroller, total, start, isAtEnd, written }: PartsOptions) => {
  const [range, setRange] = useState(() => rangeFrom(start, total));
  const most = Math.ceil(((scroller.current?.clientHeight ?? 0) + 2 * NEAR_PX) / PART_LEAST_PX) + 2;
  const totalBefore = useRef(total);
  const { first, last: until } = bounded(range, { total, added: total - totalBefore.current, isAtEnd, most });
  const isWhole = until === null;
  const last = until ?? total - 1;
  totalBefore.current = total;

  /** The previous scroll position, for the direction in which to draw ahead. */
  const way = useRef({ top: 0, isUpward: true }).current;
  const anchor = useAnchor(scroller, first, last);
  const showEarlier = () => {
    if (first === 0) return;
    const next = first - 1;
    anchor();
    setRange({ first: next, last: last - next >= most ? next + most - 1 : until });
  };
  const showLater = () => {
    const next = last + 1;
    anchor();
    setRange({ first: Math.max(first, next - most + 1), last: next >= total - 1 ? null : next });
  };
  const show = (end: 'start' | 'end') => {
    way.isUpward = end === 'end';
    setRange(rangeFrom(end === 'end' ? undefined : 0, total));
  };

  const drawSoon = useSoon(() => {
    const near = scroller.current && nearBorders(scroller.current, way.isUpward);
    if (near?.isEnd && !isWhole && !(near.isStart && first > 0 && way.isUpward)) showLater();
    else if (near?.isStart) showEarlier();
  });
  useLayoutEffect(() => {
    way.top = scroller.current?.scrollTop ?? 0;
    setRange((kept) => (kept.first === first && kept.last === until ? kept : { first, last: until }));
    drawSoon();
  }, [first, last]);

  // The visitor's own new message comes into view, wherever they were reading.
  const writtenBefore = useRef(written);
  useEffect(() => {
    if (written > writtenBefore.current && !isWhole) show('end');
    writtenBefore.current = written;
  }, [written]);

  const onScroll = () => {
    const top = scroller.current?.scrollTop ?? way.top;
    if (top !== way.top) way.isUpward = top < way.top;
    way.top = top;
    drawSoon();
  };
  /** `isLong`: more than is drawn at once, so rows can't be counted from the document. */
  return { first, last, isWhole, isLong: total > most, showEarlier, show, onScroll };
};

/** Which edges of what is drawn are near. If nothing is left to scroll, scrolling couldn't request more. */
const nearBorders = (box: HTMLElement, isUpward: boolean) => ({
  isStart: box.scrollTop < (isUpward ? NEAR_PX : 1),
  isEnd: box.scrollHeight - box.scrollTop - box.clientHeight < (isUpward ? 1 : NEAR_PX),
});

interface Bounds {
  total: number;
  /** Parts that are new since the last time. */
  added: number;
  isAtEnd: boolean;
  most: number;
}

/** At most `most` parts: not every part is drawn of those that arrive at once, or while reading older ones. */
const bounded = (range: Range, { total, added, isAtEnd, most }: Bounds): Range => {
  if (range.last !== null) return range;
  if (isAtEnd)
    return { first: Math.max(range.first, total - (added > PARTS_FIRST ? PARTS_FIRST : most)), last: null };
  return total - range.first > 2 * most ? { first: range.first, last: range.first + most - 1 } : range;
};

/** Binary search: measuring each row would cost as much as drawing more of them. */
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
