import { useCallback, useSyncExternalStore } from 'react';
import { useDesk } from '../../../../desk/DeskContext.tsx';
import type { Elsewhere } from '../../../../live/drafts.ts';
import type { Draft, Tab } from '../../../../live/kept-draft.ts';

/**
 * What is read of the draft of a chat or ticket. Whoever reads it renders again only when that changes: a key must not
 * render more than the box that it goes into.
 */
export function useDrafted<T extends string | number | boolean>(place: string, read: (draft: Draft) => T): T {
  const { drafts } = useDesk();
  const subscribe = useCallback((listener: () => void) => drafts.subscribe(place, listener), [drafts, place]);
  return useSyncExternalStore(subscribe, () => read(drafts.get(place)));
}

/** What another browser of the agent has saved there, while something else stands here. */
export function useElsewhere(place: string, tab: Tab): Elsewhere | undefined {
  const { drafts } = useDesk();
  const subscribe = useCallback((listener: () => void) => drafts.subscribe(place, listener), [drafts, place]);
  return useSyncExternalStore(subscribe, () => drafts.elsewhere(place, tab));
}

/** The places where something is written and not sent: one look for all rows of a list. */
export function usePlacesWritten(): ReadonlySet<string> {
  const { drafts } = useDesk();
  const watch = useCallback((watcher: () => void) => drafts.watch(watcher), [drafts]);
  return useSyncExternalStore(watch, () => drafts.written);
}
