import type { KeyboardEvent } from 'react';
import { useDesk } from '../../../desk/DeskContext.tsx';
import type { Tab } from '../../../live/drafts.ts';
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
  /** `/` was typed into an empty box. */
  onMacro: () => void;
  onSend: () => void;
  onTyping: ((typing: boolean) => void) | undefined;
}

/** The text itself. It alone renders with each key. */
export function TextBox(props: TextBoxProps) {
  const { writing, tab, label, placeholder, sendsOn, onTyping } = props;
  const { drafts } = useDesk();
  const text = useDrafted(writing.place, (draft) => draft[tab]);
  const write = (next: string): void => {
    if (next === '/' && text === '') {
      props.onMacro();
      return;
    }
    drafts.change(writing.place, { [tab]: next });
    onTyping?.(next.trim() !== '');
  };
  const sends = (event: KeyboardEvent): boolean =>
    event.key === 'Enter' &&
    !event.nativeEvent.isComposing &&
    (event.ctrlKey || event.metaKey || (sendsOn === 'enter' && !event.shiftKey));
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') writing.box.current?.blur();
    if (!sends(event)) return;
    event.preventDefault();
    props.onSend();
  };
  return (
    <textarea
      ref={writing.box}
      aria-label={label}
      dir="auto"
      rows={sendsOn === 'enter' ? 2 : 3}
      placeholder={placeholder}
      value={text}
      onChange={(event) => write(event.target.value)}
      onKeyDown={press}
      className="field-sizing-content block max-h-60 min-h-14 w-full resize-none bg-transparent px-3.5 py-2 outline-none max-md:text-[16px]"
    />
  );
}
