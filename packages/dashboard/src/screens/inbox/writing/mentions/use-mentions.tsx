import type { Mention } from '@foyer/protocol';
import { type AriaAttributes, type KeyboardEvent, type ReactNode, Suspense, useId, useState } from 'react';
import { useDesk } from '../../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../../lazy-part.ts';
import { isSame, type Tab } from '../../../../live/kept-draft.ts';
import type { Writing } from '../use-writing.ts';
import { type MentionSearch, mentionSearch } from './mention-search.ts';
import { optionId, useNamed } from './named.ts';

const MentionList = lazyPart(() => import('./MentionList.tsx'), 'MentionList');
const NobodyToMention = lazyPart<'NobodyToMention', object>(
  () => import('./MentionList.tsx'),
  'NobodyToMention',
);

interface Mentions {
  /** The list above the box while agents or teams match, or why there is none. */
  list: ReactNode;
  /** For the box, which keeps the focus. */
  aria: Pick<AriaAttributes, 'aria-controls' | 'aria-activedescendant'>;
  /** Looks for an `@` before the caret. */
  look: (text: string, caret: number) => void;
  /** Whether the list handled the key. */
  press: (event: KeyboardEvent) => boolean;
  close: () => void;
}

/** Mentions of colleagues and teams in a note. Replies have none. */
export function useMentions(writing: Writing, tab: Tab): Mentions {
  const { drafts } = useDesk();
  const id = useId();
  const [search, setSearch] = useState<MentionSearch | null>(null);
  const [at, setAt] = useState(0);
  const { named, isAlone } = useNamed(tab === 'note' ? search?.q : undefined);
  const chosen = named[at];
  const lookFor = (found: MentionSearch | null): void => {
    setSearch(found);
    setAt(0);
  };
  const mention = ({ id: ofOne, name, kind }: Mention): void => {
    const box = writing.box.current;
    if (!search || !box) return;
    box.setRangeText(`@${name} `, search.from, search.from + search.q.length + 1, 'end');
    const added = { id: ofOne, name, ...(kind ? { kind } : {}) };
    const others = drafts.get(writing.place).mentions.filter((one) => !isSame(one, added));
    const mentions = [...others, added];
    drafts.change(writing.place, { note: box.value, mentions });
    lookFor(null);
  };
  const press = (event: KeyboardEvent): boolean => {
    if (!chosen || event.nativeEvent.isComposing) return false;
    const count = named.length;
    if (event.key === 'ArrowDown') setAt((at + 1) % count);
    else if (event.key === 'ArrowUp') setAt((at + count - 1) % count);
    else if (event.key === 'Escape') lookFor(null);
    else if (event.key === 'Enter' || event.key === 'Tab') mention(chosen);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return {
    list:
      named.length > 0 ? (
        <Suspense>
          <MentionList id={id} named={named} at={at} onChoose={mention} />
        </Suspense>
      ) : isAlone ? (
        <Suspense>
          <NobodyToMention />
        </Suspense>
      ) : null,
    aria: chosen ? { 'aria-controls': id, 'aria-activedescendant': optionId(id, chosen) } : {},
    look: (text, caret) => {
      if (tab === 'note') lookFor(mentionSearch(text, caret));
    },
    press,
    close: () => lookFor(null),
  };
}
