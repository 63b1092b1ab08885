import { type RefObject, useMemo, useRef } from 'react';
import { holdTyped, takeTyped } from '../../../commands/typed-ahead.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';
import type { Tab } from '../../../live/kept-draft.ts';

/** The box in which an agent writes in one chat or ticket, for all parts that put something into it. */
export interface Writing {
  /** Names the chat or ticket to drafts and files. */
  place: string;
  box: RefObject<HTMLTextAreaElement | null>;
  /** Where one can't write yet: the way to the box, which gets the focus in its stead. */
  way: RefObject<HTMLButtonElement | null>;
  focus: () => void;
  choose: (tab: Tab) => void;
  /** Makes this the text. */
  put: (tab: Tab, text: string) => void;
  /** Words behind those that are written already, in a paragraph of their own. */
  insert: (words: string, tab: Tab) => void;
  /** At the caret, instead of what is selected there. */
  type: (characters: string) => void;
}

const OPEN_DIALOG = ':is([role=dialog], [role=alertdialog])[data-open]';

export function useWriting(place: string): Writing {
  const { drafts } = useDesk();
  const box = useRef<HTMLTextAreaElement>(null);
  const way = useRef<HTMLButtonElement>(null);
  return useMemo(() => {
    // What was chosen may bring another box. A dialog that was opened meanwhile keeps the focus: what is typed for it
    // would land in the reply.
    const focus = (): void =>
      void requestAnimationFrame(() => {
        if (!document.activeElement?.closest(OPEN_DIALOG)) (box.current ?? way.current)?.focus();
      });
    const type = (characters: string): void => {
      const element = box.current;
      if (!element) return;
      const { tab } = drafts.get(place);
      element.setRangeText(characters, element.selectionStart, element.selectionEnd, 'end');
      drafts.change(place, { [tab]: element.value });
    };
    return {
      place,
      box,
      way,
      focus,
      choose(tab) {
        drafts.change(place, { tab });
        // Until the box has the focus, what is typed for it would run commands.
        holdTyped();
        focus();
        requestAnimationFrame(() => {
          const typed = takeTyped();
          if (document.activeElement === box.current) type(typed);
        });
      },
      put(tab, text) {
        drafts.change(place, { [tab]: text });
        focus();
      },
      insert(words, tab) {
        const before = drafts.get(place)[tab].trimEnd();
        drafts.change(place, { tab, [tab]: before === '' ? words : `${before}\n\n${words}` });
        focus();
      },
      type,
    };
  }, [drafts, place]);
}
