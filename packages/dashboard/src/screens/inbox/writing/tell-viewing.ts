import { useCallback, useEffect, useRef } from 'react';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { namedBy } from '../../../live/drafts.ts';

/** After this long without a keystroke, nobody is replying. */
const PAUSE_MS = 5000;

/**
 * Shows the team that this conversation is open here.
 * @returns a function that reports whether a reply is being written
 */
export function useTellViewing(place: string): (replying: boolean) => void {
  const { live, viewers } = useDesk();
  const isTold = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const tell = useCallback(
    (replying: boolean): void => {
      clearTimeout(timer.current);
      if (replying) timer.current = setTimeout(() => tell(false), PAUSE_MS);
      if (replying === isTold.current) return;
      isTold.current = replying;
      live.viewing({ session_id: null, ticket_id: null, ...namedBy(place), replying });
    },
    [live, place],
  );
  useEffect(() => {
    live.viewing({ session_id: null, ticket_id: null, ...namedBy(place), replying: false });
    return () => {
      clearTimeout(timer.current);
      isTold.current = false;
      live.viewing(undefined);
      viewers.forget();
    };
  }, [live, viewers, place]);
  return tell;
}
