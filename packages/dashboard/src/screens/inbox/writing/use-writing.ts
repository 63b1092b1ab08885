import { type RefObject, useMemo, useRef } from 'react';
import { holdTyped, takeTyped } from '../../../commands/typed-ahead.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';
import type { Drafts } from '../../../live/drafts.ts';
import type { Tab } from '../../../live/kept-draft.ts';
import { type Box, plainBox, type VisualBox } from './text-box.ts';

interface Boxes {
  /** The plain box, if it is shown. */
  box: RefObject<HTMLTextAreaElement | null>;
  /** The visual editor, if it is shown. */
  visual: RefObject<VisualBox | null>;
  /** If the agent can't write yet: the button that opens the composer, which gets the focus instead. */
  way: RefObject<HTMLButtonElement | null>;
}

/** The box in which an agent writes in one chat or ticket, for all code that inserts text. */
export interface Writing extends Boxes {
  /** Identifies the chat or ticket for drafts and files. */
  place: string;
  focus: () => void;
  /** Focuses it and enters what was typed for it since `holdTyped`. */
  focusWithTyped: () => void;
  choose: (tab: Tab) => void;
  /** Replaces the text. */
  put: (tab: Tab, text: string) => void;
  /** Appends text in a new paragraph. */
  insert: (words: string, tab: Tab) => void;
  /** Inserts markdown at the caret, replacing the selection. */
  insertHere: (words: string) => void;
  /** Replaces the slash before the caret; like `insert` for the other tab, or if the slash is gone. */
  insertForSlash: (words: string, tab: Tab) => void;
  /** Removes the slash before the caret. Returns whether there was one. */
  dropSlash: () => boolean;
  /** Inserts literal characters at the caret, replacing the selection. */
  type: (characters: string) => void;
}

const OPEN_DIALOG = ':is([role=dialog], [role=alertdialog])[data-open]';

function writingIn(drafts: Drafts, place: string, { box, visual, way }: Boxes): Writing {
  const change = (text: string): void => drafts.change(place, { [drafts.get(place).tab]: text });
  const here = (): Box | null => visual.current ?? (box.current && plainBox(box.current, change));
  // The choice may show another box. A dialog opened meanwhile keeps the focus, or its keys would land in the
  // reply.
  const focus = (): void =>
    void requestAnimationFrame(() => {
      if (!document.activeElement?.closest(OPEN_DIALOG)) (here() ?? way.current)?.focus();
    });
  const focusWithTyped = (): void => {
    focus();
    requestAnimationFrame(() => {
      const typed = takeTyped();
      const now = here();
      if (now?.hasFocus()) now.type(typed);
    });
  };
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
    focusWithTyped,
    insert,
    dropSlash,
    choose(tab) {
      drafts.change(place, { tab });
      // Until the box has the focus, keys meant for it would run commands.
      holdTyped();
      focusWithTyped();
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
