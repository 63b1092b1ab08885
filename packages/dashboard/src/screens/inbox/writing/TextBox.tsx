import type { AgentRef } from '@foyer/protocol';
import { type KeyboardEvent, useId, useState } from 'react';
import { useDesk } from '../../../desk/DeskContext.tsx';
import type { Tab } from '../../../live/kept-draft.ts';
import { applyEdit, type Mark, toggleMark } from '../../../markdown/marks.ts';
import { MentionList, optionId, useNamed } from './MentionList.tsx';
import { type MentionSearch, mentionSearch } from './mention-search.ts';
import { useDrafted } from './use-draft.ts';
import type { Writing } from './use-writing.ts';

/** A chat goes line by line, a ticket is a letter. */
export type SendKey = 'enter' | 'ctrl_enter';

interface TextBoxProps {
  writing: Writing;
  tab: Tab;
  label: string;
  placeholder: string;
  sendsOn: SendKey;
  /** `/` was typed at the beginning of a line. */
  onMacro: () => void;
  /** With Shift as well: and be done with the chat or ticket. */
  onSend: (done: boolean) => void;
  onTyping: ((typing: boolean) => void) | undefined;
}

const isSlashAtLine = (value: string, caret: number): boolean =>
  value[caret - 1] === '/' &&
  [undefined, '\n'].includes(value[caret - 2]) &&
  [undefined, '\n'].includes(value[caret]);

const MARKS: Readonly<Record<string, Mark>> = { b: '**', i: '_', e: '`' };
const markOf = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): Mark | undefined =>
  (ctrlKey || metaKey) && !shiftKey && !altKey ? MARKS[key.toLowerCase()] : undefined;

/** The text itself. It alone renders with each key. */
export function TextBox(props: TextBoxProps) {
  const { writing, tab, label, placeholder, sendsOn, onTyping } = props;
  const { drafts } = useDesk();
  const text = useDrafted(writing.place, (draft) => draft[tab]);
  const list = useId();
  const [search, setSearch] = useState<MentionSearch | null>(null);
  const [at, setAt] = useState(0);
  const named = useNamed(tab === 'note' ? search?.q : undefined);
  const lookFor = (found: MentionSearch | null): void => {
    setSearch(found);
    setAt(0);
  };
  const write = ({ value, selectionEnd }: HTMLTextAreaElement): void => {
    if (isSlashAtLine(value, selectionEnd) && value.length === text.length + 1) {
      props.onMacro();
      return;
    }
    drafts.change(writing.place, { [tab]: value });
    onTyping?.(value.trim() !== '');
    if (tab === 'note') lookFor(mentionSearch(value, selectionEnd));
  };
  const mention = ({ id, name }: AgentRef): void => {
    const box = writing.box.current;
    if (!search || !box) return;
    box.setRangeText(`@${name} `, search.from, search.from + search.q.length + 1, 'end');
    const others = drafts.get(writing.place).mentions.filter((one) => one.id !== id);
    drafts.change(writing.place, { note: box.value, mentions: [...others, { id, name }] });
    lookFor(null);
  };
  const pressInList = (event: KeyboardEvent): boolean => {
    const chosen = named[at];
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
  const sends = (event: KeyboardEvent): boolean =>
    event.key === 'Enter' &&
    !event.nativeEvent.isComposing &&
    (event.ctrlKey || event.metaKey || (sendsOn === 'enter' && !event.shiftKey));
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (pressInList(event)) return;
    const mark = markOf(event);
    if (mark) {
      event.preventDefault();
      applyEdit(event.currentTarget, (written) => toggleMark(written, mark));
    }
    if (event.key === 'Escape') writing.box.current?.blur();
    if (!sends(event)) return;
    event.preventDefault();
    props.onSend(event.shiftKey);
  };
  const chosen = named[at];
  return (
    <div className="relative">
      {named.length > 0 ? <MentionList id={list} agents={named} at={at} onChoose={mention} /> : null}
      <textarea
        ref={writing.box}
        aria-label={label}
        dir="auto"
        rows={sendsOn === 'enter' ? 2 : 3}
        placeholder={placeholder}
        value={text}
        onChange={(event) => write(event.target)}
        onBlur={() => lookFor(null)}
        {...(chosen ? { 'aria-controls': list, 'aria-activedescendant': optionId(list, chosen) } : {})}
        aria-autocomplete={tab === 'note' ? 'list' : undefined}
        onKeyDown={press}
        className="field-sizing-content block max-h-60 min-h-14 w-full resize-none bg-transparent px-3.5 py-2 outline-none max-md:text-[16px]"
      />
    </div>
  );
}
