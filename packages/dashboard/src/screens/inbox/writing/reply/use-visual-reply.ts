import { useEffect, useState } from 'react';
import { useDesk } from '../../../../desk/DeskContext.tsx';
import { whenIdle } from '../../../../ui/when-idle.ts';
import type { VisualReply } from './VisualReply.tsx';

type Visual = typeof VisualReply;

let loaded: Visual | undefined;

/** The visual editor, once needed and loaded; undefined until then, and if it can't be loaded. */
export function useVisualReply(isNeeded: boolean): Visual | undefined {
  const desk = useDesk();
  const [visual, setVisual] = useState<Visual | undefined>(() => loaded);
  useEffect(() => {
    if (!isNeeded || visual) return;
    // Browsers never retry a failed import.
    const load = (): void => {
      if (desk.live.state !== 'online') return;
      import('./VisualReply.tsx').then(
        ({ VisualReply }) => {
          loaded = VisualReply;
          setVisual(() => VisualReply);
        },
        () => undefined,
      );
    };
    const cancel = whenIdle(load);
    const unsubscribe = desk.onState(load);
    return () => {
      cancel();
      unsubscribe();
    };
  }, [desk, isNeeded, visual]);
  return visual;
}
