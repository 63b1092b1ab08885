import { useState } from 'react';
import { useDesk } from '../../desk/DeskContext.tsx';
import type { Draft, Tab } from '../../live/drafts.ts';

/** The draft of one chat or ticket: what is shown and what is kept are the same thing. */
export function useDraft(place: string): [Draft, (change: Partial<Draft>) => void] {
  const { drafts } = useDesk();
  const [draft, setDraft] = useState(() => drafts.get(place));
  const change = (part: Partial<Draft>): void => {
    const next = { ...draft, ...part };
    setDraft(next);
    drafts.set(place, next);
  };
  return [draft, change];
}

/** Words behind those that are written already, in a paragraph of their own. */
export const withWords = (draft: Draft, tab: Tab, words: string): Partial<Draft> => {
  const before = draft[tab].trimEnd();
  return { tab, [tab]: before === '' ? words : `${before}\n\n${words}` };
};
