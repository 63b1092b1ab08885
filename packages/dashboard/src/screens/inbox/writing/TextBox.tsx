import type { ChangeEvent, KeyboardEvent } from 'react';
import { useDesk } from '../../../desk/DeskContext.tsx';
import type { Tab } from '../../../live/kept-draft.ts';
import { applyEdit, type Mark, toggleMark } from '../../../markdown/marks.ts';
import { useDrafted } from './drafts/use-draft.ts';
import { isMacroSlash } from './macros/macro-slash.ts';
import { useMentions } from './mentions/use-mentions.tsx';
import type { Writing } from './use-writing.ts';

/** Enter sends in chats; tickets are letters, sent by Ctrl Enter. */
export type SendKey = 'enter' | 'ctrl_enter';

export interface TextBoxProps {
  writing: Writing;
  tab: Tab;
  label: string;
  placeholder: string;
  sendsOn: SendKey;
  /** `/` was typed at the beginning of a word and is in the text. */
  onSlash: () => void;
  /** With Shift: also close the chat or solve the ticket. */
  onSend: (done: boolean) => void;
  onTyping: ((typing: boolean) => void) | undefined;
}

const MARKS: Readonly<Record<string, Mark>> = { b: '**', i: '_', e: '`' };
const markOf = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): Mark | undefined =>
  (ctrlKey || metaKey) && !shiftKey && !altKey ? MARKS[key.toLowerCase()] : undefined;

/** The text itself. Only this renders with each key. */
export function TextBox(props: TextBoxProps) {
  const { writing, tab, label, placeholder, sendsOn, onTyping } = props;
  const { drafts } = useDesk();
  const text = useDrafted(writing.place, (draft) => draft[tab]);
  const mentions = useMentions(writing, tab);
  const write = ({ target, nativeEvent }: ChangeEvent<HTMLTextAreaElement>): void => {
    const { value, selectionEnd } = target;
    drafts.change(writing.place, { [tab]: value });
    onTyping?.(value.trim() !== '');
    mentions.look(value, selectionEnd);
    const isTyped = 'data' in nativeEvent && nativeEvent.data === '/';
    if (isTyped && isMacroSlash(value.slice(0, selectionEnd), value.slice(selectionEnd))) props.onSlash();
  };
  const sends = (event: KeyboardEvent): boolean =>
    event.key === 'Enter' &&
    !event.nativeEvent.isComposing &&
    (event.ctrlKey || event.metaKey || (sendsOn === 'enter' && !event.shiftKey));
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (mentions.press(event)) return;
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
  return (
    <div className="relative">
      {mentions.list}
      <textarea
        ref={writing.box}
        aria-label={label}
        dir="auto"
        rows={sendsOn === 'enter' ? 2 : 3}
        placeholder={placeholder}
        value={text}
        onChange={write}
        onBlur={mentions.close}
        {...mentions.aria}
        aria-autocomplete={tab === 'note' ? 'list' : undefined}
        onKeyDown={press}
        className="field-sizing-content block max-h-60 min-h-14 w-full resize-none bg-transparent px-3.5 py-2 outline-none max-md:text-[16px]"
      />
    </div>
  );
}
