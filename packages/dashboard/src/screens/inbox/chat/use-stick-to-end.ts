import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Closer to the end than this counts as reading the end. */
const END_PX = 80;

interface StickToEnd {
  /** The newest entry; another one scrolls down for an agent who reads the end. */
  newest: string | undefined;
  /** How many messages of this agent are on their way; one more scrolls down wherever they read. */
  sending: number;
  /** The message that they opened the conversation to read, '' for none. */
  place: string;
  /** Whether it opens at its end; false opens it at its beginning. */
  opensAtEnd?: boolean;
}

interface StuckToEnd {
  /** For the scrolling element. */
  box: { ref: RefObject<HTMLDivElement | null>; onScroll: () => void };
  /** For the element in it that grows with its contents. */
  inside: RefObject<HTMLDivElement | null>;
  atEnd: boolean;
  toEnd: () => void;
}

/** Stays at the end of a conversation while the agent reads there, otherwise keeps their position. */
export function useStickToEnd({ newest, sending, place, opensAtEnd = true }: StickToEnd): StuckToEnd {
  const ref = useRef<HTMLDivElement>(null);
  const inside = useRef<HTMLDivElement>(null);
  const [read, setRead] = useState({ place, atEnd: place === '' && opensAtEnd, sending });
  if (read.sending !== sending)
    setRead(sending > read.sending ? { place, atEnd: true, sending } : { ...read, sending });
  // The position before says nothing about the message opened now.
  const atEnd = read.atEnd && (place === '' || place === read.place);
  const toEnd = (): void => {
    const element = ref.current;
    if (element) element.scrollTop = element.scrollHeight;
    setRead({ place, atEnd: true, sending });
  };
  /** As the last scroll left it: what grows in the same frame doesn't wait for the render that follows. */
  const isStuck = useRef(atEnd);
  const top = useRef(0);
  useLayoutEffect(() => {
    isStuck.current = atEnd;
  }, [atEnd]);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element && newest !== undefined && atEnd) element.scrollTop = element.scrollHeight;
  }, [newest, atEnd]);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    // The box shrinks when the composer or a phone's keyboard grows; its contents may grow after rendering.
    const watcher = new ResizeObserver(() => {
      if (isStuck.current) element.scrollTop = element.scrollHeight;
    });
    watcher.observe(element);
    if (inside.current) watcher.observe(inside.current);
    return () => watcher.disconnect();
  }, []);
  const onScroll = (): void => {
    const element = ref.current;
    if (!element) return;
    const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < END_PX;
    // Only scrolling up leaves the end; content that grows below doesn't.
    const isLeaving = element.scrollTop < top.current;
    top.current = element.scrollTop;
    isStuck.current = isNear || (isStuck.current && !isLeaving);
    if (isStuck.current !== atEnd || place !== read.place)
      setRead({ place, atEnd: isStuck.current, sending });
  };
  return { box: { ref, onScroll }, inside, atEnd, toEnd };
}
