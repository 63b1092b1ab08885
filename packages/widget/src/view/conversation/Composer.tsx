import { MESSAGE_MAX } from '@foyer/protocol/values/bounds';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { say } from '../../strings.ts';
import { Icon } from '../Icons.tsx';
import { lazy } from '../lazy.ts';
import { useShared } from './use-chat.ts';
import { useDrop } from './use-drop.ts';

const HEIGHT_MAX = 132;
/** Somebody who has typed this lately is writing here, and not in another tab. */
const WRITING_MS = 3_000;

const FileTray = lazy(async () => (await import('./FileTray.tsx')).FileTray);
const EmojiPicker = lazy(async () => (await import('./EmojiPicker.tsx')).EmojiPicker);
const AttachButton = lazy(async () => (await import('./AttachButton.tsx')).AttachButton);

/** Where the visitor writes. What is not sent is kept, for each chat, also over a reload. */
export const Composer = ({ place }: { place: string }) => {
  const { chat, state } = useShared();
  const [text, setText] = useState(() => chat.draft(place));
  const [isChoosing, setChoosing] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const files = state.files[place] ?? [];
  const takesFiles = (state.site?.uploads.kinds.length ?? 0) > 0;
  const over = text.trim().length - MESSAGE_MAX;
  const canSend =
    over <= 0 &&
    (text.trim() !== '' ||
      files.some((file) => file.state === 'ready' || (file.state === 'uploading' && !file.goes)));

  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight, HEIGHT_MAX)}px`;
  }, [text]);
  // The chat's first message made a session of it while the next one was being written.
  const before = useRef(place);
  useEffect(() => {
    chat.moveDraft(before.current, place);
    before.current = place;
    return () => chat.typing(place, '');
  }, [place]);
  // What was written in another tab, unless somebody is writing here.
  const typedAt = useRef(0);
  useEffect(() => {
    if (Date.now() - typedAt.current > WRITING_MS) setText(chat.draft(place));
  }, [state.draftsChanged]);

  const addFiles = (added: readonly File[]) => {
    if (!takesFiles || added.length === 0) return;
    setFailed(false);
    // What files need could not be loaded: there is no network.
    chat.addFiles(place, added).catch(() => setFailed(true));
    field.current?.focus();
  };
  const isDropping = useDrop(addFiles);

  const change = (next: string) => {
    setText(next);
    chat.saveDraft(place, next);
    chat.typing(place, next.trim());
  };
  const send = () => {
    if (!canSend || !chat.send(place, text.trim())) return;
    typedAt.current = 0;
    change('');
    field.current?.focus();
  };
  const insert = (emoji: string) => {
    const area = field.current;
    if (!area) return;
    area.focus();
    area.setRangeText(emoji, area.selectionStart, area.selectionEnd, 'end');
    change(area.value);
    setChoosing(false);
  };
  const onKey = (event: KeyboardEvent) => {
    // Enter also ends a word that is being composed, in Japanese for example.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    // A text processor adds a picture of the text.
    if (pasted.length === 0 || !takesFiles || event.clipboardData?.getData('text/plain')) return;
    event.preventDefault();
    addFiles(pasted);
  };
  return (
    <form
      class={isDropping && takesFiles ? 'composer composer-drop' : 'composer'}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {files.length > 0 && <FileTray place={place} />}
      {takesFiles && <AttachButton add={addFiles} />}
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        enterkeyhint="send"
        aria-label={say('placeholder')}
        aria-describedby={over > 0 ? 'too-long' : undefined}
        placeholder={say(isDropping && takesFiles ? 'drop_here' : 'placeholder')}
        value={text}
        onInput={(event) => {
          typedAt.current = Date.now();
          change(event.currentTarget.value);
        }}
        onBlur={() => chat.typing(place, '')}
        onKeyDown={onKey}
        onPaste={onPaste}
      />
      <span class="emoji-place">
        <button
          type="button"
          class="icon-button"
          aria-label={say('emoji')}
          aria-expanded={isChoosing}
          onClick={() => setChoosing(!isChoosing)}
        >
          <Icon name="emoji" />
        </button>
        {isChoosing && (
          <EmojiPicker
            choose={insert}
            close={() => {
              setChoosing(false);
              field.current?.focus();
            }}
          />
        )}
      </span>
      <button type="submit" class="send-button" aria-label={say('send')} disabled={!canSend}>
        <Icon name="send" />
      </button>
      {over > 0 && (
        <p id="too-long" class="form-error" role="alert">
          {say('too_long', { count: over })}
        </p>
      )}
      {hasFailed && (
        <p class="form-error" role="alert">
          {say('file_not_loaded')}
        </p>
      )}
    </form>
  );
};
