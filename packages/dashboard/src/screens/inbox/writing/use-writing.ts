import { type RefObject, useMemo, useRef } from 'react';
import { holdTyped, takeTyped } from '../../../commands/typed-ahead.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';
import type { Drafts } from '../../../live/drafts.ts';
import type { Tab } from '../../../live/kept-draft.ts';
import { type Box, plainBox, type VisualBox } from './text-box.ts';

interface Boxes {
  /** The plain box, where that is shown. */
  box: RefObject<HTMLTextAreaElement | null>;
  /** The visual editor, where that is shown. */
  visual: RefObject<VisualBox | null>;
  /** Where one can't write yet: the way to the box, which gets the focus in its stead. */
  way: RefObject<HTMLButtonElement | null>;
}

/** The box in which an agent writes in one chat or ticket, for all parts that put something into it. */
export interface Writing extends Boxes {
  /** Names the chat or ticket to drafts and files. */
  place: string;
  focus: () => void;
  choose: (tab: Tab) => void;
  /** Makes this the text. */
  put: (tab: Tab, text: string) => void;
  /** Words behind those that are written already, in a paragraph of their own. */
  insert: (words: string, tab: Tab) => void;
  /** Markdown at the caret, instead of what is selected there. */
  insertHere: (words: string) => void;
  /** Instead of the slash before the caret; as `insert` for the other tab, or if the slash is gone. */
  insertForSlash: (words: string, tab: Tab) => void;
  /** Takes the slash before the caret away, and says whether there was one. */
  dropSlash: () => boolean;
  /** Characters as they are, at the caret, instead of what is selected there. */
  type: (characters: string) => void;
}

const OPEN_DIALOG = ':is([role=dialog], [role=alertdialog])[data-open]';

function writingIn(drafts: Drafts, place: string, { box, visual, way }: Boxes): Writing {
  const change = (text: string): void => drafts.change(place, { [drafts.get(place).tab]: text });
  const here = (): Box | null => visual.current ?? (box.current && plainBox(box.current, change));
  // What was chosen may bring another box. A dialog that was opened meanwhile keeps the focus: what is typed for it
  // would land in the reply.
  const focus = (): void =>
    void requestAnimationFrame(() => {
      if (!document.activeElement?.closest(OPEN_DIALOG)) (here() ?? way.current)?.focus();
    });
  const insert = (words: string, tab: Tab): void => {
    const before = drafts.get(place)[tab].trimEnd();
    drafts.change(place, { tab, [tab]: before === '' ? words : `${before}\n\n${words}` });
    focus();
  };
  const dropSlash = (): boolean => {
    const now = here();
    if (!now?.before().endsWith('/')) return false;
    now.removeBefore(1);
    return true;
  };
  return {
    place,
    box,
    visual,
    way,
    focus,
    insert,
    dropSlash,
    choose(tab) {
      drafts.change(place, { tab });
      // Until the box has the focus, what is typed for it would run commands.
      holdTyped();
      focus();
      requestAnimationFrame(() => {
        const typed = takeTyped();
        const now = here();
        if (now?.hasFocus()) now.type(typed);
      });
    },
    put(tab, text) {
      drafts.change(place, { [tab]: text });
      focus();
    },
    insertHere: (words) => here()?.insert(words),
    insertForSlash(words, tab) {
      if (!dropSlash() || drafts.get(place).tab !== tab) {
        insert(words, tab);
        return;
      }
      here()?.insert(words);
      focus();
    },
    type: (characters) => here()?.type(characters),
  };
}

export function useWriting(place: string): Writing {
  const { drafts } = useDesk();
  const box = useRef<HTMLTextAreaElement>(null);
  const visual = useRef<VisualBox>(null);
  const way = useRef<HTMLButtonElement>(null);
  return useMemo(() => writingIn(drafts, place, { box, visual, way }), [drafts, place]);
}
