import { useEffect, useState } from 'react';
import { useDesk } from '../../../../desk/DeskContext.tsx';
import { whenIdle } from '../../../../ui/when-idle.ts';
import type { VisualReply } from './VisualReply.tsx';

type Visual = typeof VisualReply;

let loaded: Visual | undefined;

/** The visual editor, once it is needed and here; undefined before that, and for good where it can't be had. */
export function useVisualReply(isNeeded: boolean): Visual | undefined {
  const desk = useDesk();
  const [visual, setVisual] = useState<Visual | undefined>(() => loaded);
  useEffect(() => {
    if (!isNeeded || visual) return;
    // A browser never asks again for what it couldn't have once.
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
