import { useEffect, useRef } from 'react';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { type InboxItem, writingPlaceOf } from './inbox-list.ts';

/**
 * A row is prefetched after the pointer has rested on it this long, so scrolling under the pointer requests
 * nothing.
 */
const RESTED_MS = 60;

interface FetchAhead {
  now: (item: InboxItem | undefined) => void;
  /** Called when the pointer rests on a row; undefined: it left. */
  rested: (item: InboxItem | undefined) => void;
}

/** Loads a chat or ticket before it is opened. */
export function useFetchAhead(): FetchAhead {
  const desk = useDesk();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const now = (item: InboxItem | undefined): void => {
    clearTimeout(timer.current);
    if (item) desk.fetchAhead(writingPlaceOf(item));
  };
  const rested = (item: InboxItem | undefined): void => {
    clearTimeout(timer.current);
    if (item) timer.current = setTimeout(() => now(item), RESTED_MS);
  };
  return { now, rested };
}
