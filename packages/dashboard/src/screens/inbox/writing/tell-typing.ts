import { useCallback, useEffect, useRef } from 'react';
import { useDesk } from '../../../desk/DeskContext.tsx';

/** How often typing is reported; after a pause of this length, it has stopped. */
const REPEAT_MS = 3000;
const PAUSE_MS = 5000;

/** Shows the visitor that an agent is typing, and no longer than that. */
export function useTellTyping(sessionId: string): (typing: boolean) => void {
  const { live } = useDesk();
  const told = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const tell = useCallback(
    (typing: boolean): void => {
      clearTimeout(timer.current);
      if (!typing) {
        if (told.current !== 0) live.typing(sessionId, false);
        told.current = 0;
        return;
      }
      const now = Date.now();
      if (now - told.current > REPEAT_MS) {
        live.typing(sessionId, true);
        told.current = now;
      }
      timer.current = setTimeout(() => tell(false), PAUSE_MS);
    },
    [live, sessionId],
  );
  useEffect(() => () => tell(false), [tell]);
  return tell;
}
