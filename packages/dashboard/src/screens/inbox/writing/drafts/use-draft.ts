import { useCallback, useSyncExternalStore } from 'react';
import { useDesk } from '../../../../desk/DeskContext.tsx';
import type { Elsewhere } from '../../../../live/drafts.ts';
import type { Draft, Tab } from '../../../../live/kept-draft.ts';

/**
 * A value derived from the draft of a chat or ticket. Its readers render again only when that value changes: a key
 * must not render more than its box.
 */
export function useDrafted<T extends string | number | boolean>(place: string, read: (draft: Draft) => T): T {
  const { drafts } = useDesk();
  const subscribe = useCallback((listener: () => void) => drafts.subscribe(place, listener), [drafts, place]);
  return useSyncExternalStore(subscribe, () => read(drafts.get(place)));
}

/** What another browser of the agent has saved, if it differs from the text here. */
export function useElsewhere(place: string, tab: Tab): Elsewhere | undefined {
  const { drafts } = useDesk();
  const subscribe = useCallback((listener: () => void) => drafts.subscribe(place, listener), [drafts, place]);
  return useSyncExternalStore(subscribe, () => drafts.elsewhere(place, tab));
}

/** The places with unsent drafts: one subscription for all rows of a list. */
export function usePlacesWritten(): ReadonlySet<string> {
  const { drafts } = useDesk();
  const watch = useCallback((watcher: () => void) => drafts.watch(watcher), [drafts]);
  return useSyncExternalStore(watch, () => drafts.written);
}
