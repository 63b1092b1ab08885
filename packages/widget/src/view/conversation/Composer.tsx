import { MESSAGE_MAX } from '@foyer/protocol/values/bounds';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { createTyping } from '../../core/chat/typing.ts';
import type { Chat } from '../../core/chat.ts';
import { say } from '../../strings.ts';
import { FormError } from '../FormError.tsx';
import { EMOJI, Icon, SEND } from '../Icons.tsx';
import { lazy } from '../lazy.ts';
import { useShared } from './use-chat.ts';
import { useDrop } from './use-drop.ts';

const HEIGHT_MAX = 132;
/** A visitor who typed this recently is writing here, not in another tab. */
const WRITING_MS = 3_000;

const FileTray = lazy(async () => (await import('./FileTray.tsx')).FileTray);
const EmojiPicker = lazy(async () => (await import('./EmojiPicker.tsx')).EmojiPicker);
const AttachButton = lazy(async () => (await import('./AttachButton.tsx')).AttachButton);

let reports: ReturnType<typeof createTyping> | undefined;
/** One for all chats, so that reports about one chat count when the visitor continues in another. */
const typingOf = (chat: Chat) => (reports ??= createTyping(chat, chat.tell));

/** The unsent text of a chat, stored so that it survives a reload. */
const useDraft = (place: string) => {
  const { chat, state } = useShared();
  const [text, setText] = useState(() => chat.draft(place));
  // The chat's first message created its session while the next one was being written.
  const before = useRef(place);
  useEffect(() => {
    chat.moveDraft(before.current, place);
    before.current = place;
    return () => typingOf(chat).typing(place, '');
  }, [place]);
  // The text from another tab, unless the visitor is writing here.
  const typedAt = useRef(0);
  useEffect(() => {
    if (Date.now() - typedAt.current > WRITING_MS) setText(chat.draft(place));
  }, [state.draftsChanged]);

  const change = (next: string) => {
    setText(next);
    chat.saveDraft(place, next);
    typingOf(chat).typing(place, next.trim());
  };
  return {
    text,
    change,
    /** Typing: for a moment, other tabs change nothing here. */
    type(next: string) {
      typedAt.current = Date.now();
      change(next);
    },
    clear() {
      typedAt.current = 0;
      change('');
    },
  };
};

/** Adds files to a chat, chosen, pasted or dropped, if the site accepts any. */
const useFiles = (place: string, field: RefObject<HTMLTextAreaElement | null>) => {
  const { chat, state } = useShared();
  const [hasFailed, setFailed] = useState(false);
  const takesFiles = (state.site?.uploads.kinds.length ?? 0) > 0;
  const add = (added: readonly File[]) => {
    if (!takesFiles || added.length === 0) return;
    setFailed(false);
    // The code for files couldn't be loaded: there is no network.
    chat.addFiles(place, added).catch(() => setFailed(true));
    field.current?.focus();
  };
  const isDropping = useDrop(add) && takesFiles;
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    // A word processor adds a picture of the text.
    if (pasted.length === 0 || !takesFiles || event.clipboardData?.getData('text/plain')) return;
    event.preventDefault();
    add(pasted);
  };
  return { files: state.files[place] ?? [], takesFiles, hasFailed, add, isDropping, onPaste };
};

/** Where the visitor writes. */
export const Composer = ({ place }: { place: string }) => {
  const { chat } = useShared();
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, change, type, clear } = useDraft(place);
  const { files, takesFiles, hasFailed, add, isDropping, onPaste } = useFiles(place, field);
  const over = text.trim().length - MESSAGE_MAX;
  const isReady = files.some(({ state, goes }) => state === 'ready' || (state === 'uploading' && !goes));
  const canSend = over <= 0 && (text.trim() !== '' || isReady);

  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight, HEIGHT_MAX)}px`;
  }, [text]);
  const send = (event: Event) => {
    event.preventDefault();
    if (!canSend || !chat.send(place, text.trim())) return;
    typingOf(chat).end();
    clear();
    field.current?.focus();
  };
  return (
    <form class={isDropping ? 'composer composer-drop' : 'composer'} onSubmit={send}>
      {files.length > 0 && <FileTray place={place} />}
      {takesFiles && <AttachButton add={add} />}
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        enterkeyhint="send"
        aria-label={say('placeholder')}
        aria-describedby={over > 0 ? 'too-long' : undefined}
        placeholder={say(isDropping ? 'drop_here' : 'placeholder')}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onBlur={() => typingOf(chat).typing(place, '')}
        onKeyDown={(event) => {
          // Enter also confirms a word being composed, for example in Japanese.
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event);
        }}
        onPaste={onPaste}
      />
      <EmojiButton field={field} change={change} />
      <button type="submit" class="send-button" aria-label={say('send')} disabled={!canSend}>
        <Icon path={SEND} />
      </button>
      <FormError id="too-long" text={over > 0 && say('too_long', { count: over })} />
      <FormError text={hasFailed && say('file_not_loaded')} />
    </form>
  );
};

interface EmojiButtonProps {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Sets the field's text with the emoji inserted. */
  change: (text: string) => void;
}

const EmojiButton = ({ field, change }: EmojiButtonProps) => {
  const [isChoosing, setChoosing] = useState(false);
  const close = () => {
    setChoosing(false);
    field.current?.focus();
  };
  const insert = (emoji: string) => {
    close();
    const area = field.current;
    if (!area) return;
    area.setRangeText(emoji, area.selectionStart, area.selectionEnd, 'end');
    change(area.value);
  };
  return (
    <span class="emoji-place">
      <button
        type="button"
        class="icon-button"
        aria-label={say('emoji')}
        aria-expanded={isChoosing}
        onClick={() => setChoosing(!isChoosing)}
      >
        <Icon path={EMOJI} />
      </button>
      {isChoosing && <EmojiPicker choose={insert} close={close} />}
    </span>
  );
};
