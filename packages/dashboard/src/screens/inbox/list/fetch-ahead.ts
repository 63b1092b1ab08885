import { useEffect, useRef } from 'react';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { type InboxItem, writingPlaceOf } from './inbox-list.ts';

/** Who rests on a row for so long may open it; a list that is scrolled under the pointer asks for nothing. */
const RESTED_MS = 60;

interface FetchAhead {
  now: (item: InboxItem | undefined) => void;
  /** Once it was rested on; nothing: what was rested on is left. */
  rested: (item: InboxItem | undefined) => void;
}

/** Fetches what a chat or ticket shows before it is opened. */
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
