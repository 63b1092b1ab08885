import type { Session } from '@foyer/protocol';
import { Lock, SendHorizontal } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useShortcuts } from '../../desk/shortcuts.ts';
import type { Tab } from '../../live/drafts.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { Tip } from '../../ui/Tip.tsx';
import { say } from '../../ui/toast-store.ts';
import { visitorName } from '../../words.ts';
import { ChatMacros } from './ChatMacros.tsx';
import { AttachButton, ComposerFiles, useChatFiles, useFileDrop } from './ComposerFiles.tsx';
import { NotMine } from './NotMine.tsx';
import { Rewritten, SuggestButton, SuggestedFrom, useSuggestion } from './SuggestReply.tsx';
import { useHold } from './session-actions.ts';
import { t } from './t.ts';
import { useTellTyping } from './tell-typing.ts';
import { useDraft, withWords } from './use-draft.ts';

const RewriteMenu = lazy(() => import('./RewriteMenu.tsx').then((part) => ({ default: part.RewriteMenu })));

/** MESSAGE_MAX of the protocol. */
const LONGEST = 4000;
const COUNTED_FROM = 3600;

/** Where an agent writes: to the visitor, or a note that only the team sees. */
export function Composer({ session }: { session: Session }) {
  const { outbox, files } = useDesk();
  const hold = useHold(session);
  const [draft, change] = useDraft(session.session_id);
  const box = useRef<HTMLTextAreaElement>(null);
  const tellTyping = useTellTyping(session.session_id);
  const isNote = draft.tab === 'note';
  const text = draft[draft.tab];
  const open = isNote || hold === 'mine';
  const waiting = useChatFiles(session.session_id);
  // A note is text alone.
  const addFiles = isNote || !open ? undefined : (added: File[]) => files.add(session.session_id, added);
  const { over, handlers } = useFileDrop(addFiles);
  const isOnItsWay = !isNote && waiting.some(({ state }) => state === 'uploading');
  const hasFile = !isNote && waiting.some(({ state }) => state === 'ready');
  const canSend = (text.trim() !== '' || (hasFile && !isOnItsWay)) && text.trim().length <= LONGEST;

  const choose = (tab: Tab): void => {
    change({ tab });
    requestAnimationFrame(() => box.current?.focus());
  };
  const suggestion = useSuggestion(session, (found) => {
    change(withWords(draft, 'reply', found));
    setBefore(null);
    box.current?.focus();
  });
  /** The draft as it was before it was rewritten. */
  const [before, setBefore] = useState<string | null>(null);
  const takeRewritten = (rewritten: string, asked: string): void => {
    // What was typed meanwhile is not lost for it.
    if (draft.reply.trim() !== asked) {
      say(t('draft_kept'));
      return;
    }
    setBefore(draft.reply);
    change({ reply: rewritten });
    box.current?.focus();
  };
  const [picking, setPicking] = useState(false);
  const maySuggest = !isNote && hold === 'mine';
  const suggest = (): void => {
    if (!suggestion.isPending) suggestion.mutate();
  };
  useShortcuts({
    r: () => choose('reply'),
    n: () => choose('note'),
    g: maySuggest ? suggest : undefined,
    m: open ? () => setPicking(true) : undefined,
  });

  const wasMine = useRef(hold === 'mine');
  useEffect(() => {
    if (hold === 'mine' && !wasMine.current) box.current?.focus();
    wasMine.current = hold === 'mine';
  }, [hold]);

  const send = (): void => {
    const trimmed = text.trim();
    if (!canSend) return;
    // What is still on its way waits for the next one: it never holds up the text.
    outbox.add(session.session_id, draft.tab, trimmed, isNote ? [] : files.take(session.session_id));
    change({ [draft.tab]: '' });
    suggestion.reset();
    setBefore(null);
    tellTyping(false);
    box.current?.focus();
  };

  return (
    <div className="shrink-0 px-4 pb-4 max-md:px-2 max-md:pb-[max(8px,env(safe-area-inset-bottom))] lg:px-6">
      <section
        aria-label={t('write')}
        {...handlers}
        className={cx(
          'mx-auto max-w-3xl rounded-xl border has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:-outline-offset-1',
          isNote
            ? 'border-note-line bg-note-ground outline-note-text'
            : 'border-line-strong bg-field outline-accent',
          over && 'border-accent border-dashed',
        )}
      >
        <WriteTabs tab={draft.tab} onChoose={choose} />
        {open ? (
          <div role="tabpanel" aria-label={isNote ? t('note') : t('reply')}>
            <TextBox
              box={box}
              label={isNote ? t('note') : t('reply')}
              placeholder={
                isNote ? t('write_team') : t('write_to_or_macro', { name: visitorName(session.visitor) })
              }
              text={text}
              onText={(next) => {
                if (next === '/' && text === '') {
                  setPicking(true);
                  return;
                }
                change({ [draft.tab]: next });
                if (!isNote) tellTyping(next.trim() !== '');
              }}
              onSend={send}
            />
            {isNote ? null : <ComposerFiles sessionId={session.session_id} />}
            <div className="flex min-h-11 items-center gap-3 pb-2 ps-2 pe-2">
              <div className="flex">
                <ChatMacros
                  session={session}
                  isOpen={picking}
                  onOpen={setPicking}
                  onInsert={(words, tab) => {
                    change(withWords(draft, tab, words));
                    requestAnimationFrame(() => box.current?.focus());
                  }}
                />
                {addFiles ? <AttachButton add={addFiles} /> : null}
                {maySuggest ? (
                  <>
                    <SuggestButton busy={suggestion.isPending} onSuggest={suggest} />
                    <Suspense>
                      <RewriteMenu session={session} text={draft.reply} onRewritten={takeRewritten} />
                    </Suspense>
                  </>
                ) : null}
              </div>
              {text.length > COUNTED_FROM ? (
                <p
                  className={cx(
                    'tabular flex-1 text-xs',
                    text.length > LONGEST ? 'text-danger-text' : 'text-soft',
                  )}
                >
                  {text.length > LONGEST
                    ? t('too_long', { count: text.length - LONGEST })
                    : t('characters_left', { count: LONGEST - text.length })}
                </p>
              ) : maySuggest && before !== null ? (
                <Rewritten
                  onUndo={() => {
                    change({ reply: before });
                    setBefore(null);
                  }}
                />
              ) : maySuggest && suggestion.data ? (
                <SuggestedFrom suggested={suggestion.data} />
              ) : (
                <p className="flex-1 truncate text-faint text-xs max-md:invisible">
                  {text ? t('enter_sends') : ''}
                </p>
              )}
              <Button
                small
                look="primary"
                disabled={!canSend}
                onClick={send}
                icon={
                  isNote ? (
                    <Lock aria-hidden className="size-4" />
                  ) : (
                    <SendHorizontal aria-hidden className="size-4" />
                  )
                }
              >
                {isNote ? t('add_note') : t('send')}
              </Button>
            </div>
          </div>
        ) : (
          <NotMine session={session} hold={hold} />
        )}
      </section>
    </div>
  );
}

/** The choice between an answer and a note. */
export function WriteTabs({ tab, onChoose }: { tab: Tab; onChoose: (tab: Tab) => void }) {
  const look = (on: boolean): string =>
    cx(
      'flex h-8 items-center gap-1.5 rounded-md px-2.5 font-medium max-md:h-10',
      !on && 'text-soft hover:text-text',
      on && (tab === 'note' ? 'bg-note-line text-note-text' : 'bg-pressed text-text'),
    );
  return (
    <div className="flex items-center gap-1 px-1.5 pt-1.5">
      <div role="tablist" aria-label={t('what_to_write')} className="flex gap-1">
        <Tip text={t('write_visitor')} shortcut="r">
          <button
            type="button"
            role="tab"
            aria-selected={tab === 'reply'}
            className={look(tab === 'reply')}
            onClick={() => onChoose('reply')}
          >
            {t('reply')}
          </button>
        </Tip>
        <Tip text={t('write_team')} shortcut="n">
          <button
            type="button"
            role="tab"
            aria-selected={tab === 'note'}
            className={look(tab === 'note')}
            onClick={() => onChoose('note')}
          >
            <Lock aria-hidden className="size-3.5" />
            {t('note')}
          </button>
        </Tip>
      </div>
      {tab === 'note' ? (
        <p className="min-w-0 truncate pe-2 text-note-text text-xs">{t('team_only')}</p>
      ) : null}
    </div>
  );
}

interface TextBoxProps {
  box: React.RefObject<HTMLTextAreaElement | null>;
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
}

const TALLEST_PX = 240;

function TextBox({ box, label, placeholder, text, onText, onSend }: TextBoxProps) {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.style.height = 'auto';
    const wanted = text === '' ? 0 : element.scrollHeight;
    element.style.height = `${Math.min(TALLEST_PX, Math.max(48, wanted))}px`;
  }, [box, text]);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') box.current?.blur();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  return (
    <textarea
      ref={box}
      aria-label={label}
      dir="auto"
      rows={2}
      placeholder={placeholder}
      value={text}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={press}
      className="block w-full resize-none bg-transparent px-3.5 py-2 outline-none max-md:text-[16px]"
    />
  );
}
