import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { say } from '../strings.ts';
import { Icon } from './Icons.tsx';
import { useShared } from './use-chat.ts';

/** `MESSAGE_MAX` of the protocol, which is not imported: it would bring its schemas along. */
const MESSAGE_MAX = 4000;
const HEIGHT_MAX = 132;

/** Where the visitor writes. What is not sent is kept, for each chat, also over a reload. */
export const Composer = ({ place }: { place: string }) => {
  const { chat } = useShared();
  const [text, setText] = useState(() => chat.draft(place));
  const field = useRef<HTMLTextAreaElement>(null);
  const over = text.trim().length - MESSAGE_MAX;
  const canSend = text.trim() !== '' && over <= 0;

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
    return () => chat.typing(place, false);
  }, [place]);

  const change = (next: string) => {
    setText(next);
    chat.saveDraft(place, next);
    chat.typing(place, next.trim() !== '');
  };
  const send = () => {
    if (!canSend || !chat.send(place, text.trim())) return;
    change('');
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    // Enter also ends a word that is being composed, in Japanese for example.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        enterkeyhint="send"
        aria-label={say('placeholder')}
        aria-describedby={over > 0 ? 'too-long' : undefined}
        placeholder={say('placeholder')}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onBlur={() => chat.typing(place, false)}
        onKeyDown={onKey}
      />
      <button type="submit" class="send-button" aria-label={say('send')} disabled={!canSend}>
        <Icon name="send" />
      </button>
      {over > 0 && (
        <p id="too-long" class="form-error" role="alert">
          {say('too_long', { count: over })}
        </p>
      )}
    </form>
  );
};
