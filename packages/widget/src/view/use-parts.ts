import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Drawn when a chat is opened. */
const PARTS_FIRST = 3;
/** Drawn at once, however far one scrolls. */
const PARTS_MAX = 16;
/** Nearer to the border of what is drawn than this, more of it is. */
const NEAR_PX = 800;

interface Range {
  first: number;
  /** Null: up to the end, whatever comes. */
  last: number | null;
}

interface PartsOptions {
  scroller: RefObject<HTMLElement | null>;
  /** How many parts the chat has. */
  total: number;
  /** The end of what is drawn is in view. */
  isAtEnd: boolean;
  /** How many messages of the visitor's are on their way. */
  written: number;
}

/** Which parts of a long chat are drawn: those around what is in view, which never moves when they change. */
export const useParts = ({ scroller, total, isAtEnd, written }: PartsOptions) => {
  const [range, setRange] = useState<Range>({ first: Math.max(0, total - PARTS_FIRST), last: null });
  const isWhole = range.last === null;
  const last = range.last ?? total - 1;
  const first = isWhole && isAtEnd ? Math.max(range.first, total - PARTS_MAX) : range.first;

  // Something in view, and where it stands.
  const anchor = useRef<{ element: Element; top: number } | null>(null);
  const move = (next: Range) => {
    const box = scroller.current;
    const element = box && firstInView(box);
    anchor.current = element ? { element, top: element.getBoundingClientRect().top } : null;
    setRange(next);
  };
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && anchor.current)
      box.scrollTop += anchor.current.element.getBoundingClientRect().top - anchor.current.top;
    anchor.current = null;
  }, [range]);

  const showEarlier = () => {
    if (first === 0) return;
    const next = first - 1;
    move({ first: next, last: last - next >= PARTS_MAX ? next + PARTS_MAX - 1 : range.last });
  };
  const showLater = () => {
    if (isWhole) return;
    const next = last + 1;
    move({ first: Math.max(first, next - PARTS_MAX + 1), last: next >= total - 1 ? null : next });
  };
  const showEnd = () => setRange({ first: Math.max(0, total - PARTS_FIRST), last: null });

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
    showEarlier,
    showEnd,
    onScroll() {
      const box = scroller.current;
      if (!box || anchor.current) return;
      if (box.scrollTop < NEAR_PX) showEarlier();
      else if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX) showLater();
    },
  };
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
