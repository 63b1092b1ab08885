import type { Mention, Ticket } from '@foyer/protocol';
import { BookOpen, Zap } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { COMMANDS, useCommands } from '../../../commands/commands.ts';
import { holdTyped } from '../../../commands/typed-ahead.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';
import type { SentFile } from '../../../live/chat-files.ts';
import { mentionsIn, type Tab } from '../../../live/kept-draft.ts';
import { part } from '../../../part.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { goOn } from '../go-on.ts';
import { AnsweredMeanwhile } from './AnsweredMeanwhile.tsx';
import { AttachButton, ComposerFiles, useGivenFiles } from './ComposerFiles.tsx';
import { DraftElsewhere } from './DraftElsewhere.tsx';
import type { MacroValues } from './MacroPicker.tsx';
import { SendButton } from './SendButton.tsx';
import { type SendKey, TextBox } from './TextBox.tsx';
import { t } from './t.ts';
import { useTellViewing } from './tell-viewing.ts';
import { type OtherReply, useAnsweredMeanwhile } from './use-answered-meanwhile.ts';
import { useDrafted } from './use-draft.ts';
import type { Writing } from './use-writing.ts';
import { WriteTabs } from './WriteTabs.tsx';

const ArticleFinder = part(() => import('./ArticleFinder.tsx'), 'ArticleFinder');
const EmojiMenu = part(() => import('./EmojiMenu.tsx'), 'EmojiMenu');
const MacroPicker = part(() => import('./MacroPicker.tsx'), 'MacroPicker');

const COUNTED_LAST = 400;

/** What is sent at once. */
export interface Said {
  tab: Tab;
  /** Trimmed; empty only beside files. */
  text: string;
  files: SentFile[];
  mentions: Mention[];
  /** The chat is closed or the ticket solved with it. */
  done: boolean;
}

interface WriteBoxProps {
  writing: Writing;
  /** Of a reply; a note says for whom it is. */
  placeholder: string;
  /** The most characters that can be sent. */
  longest: number;
  sendsOn: SendKey;
  /** What a macro fills in here; with a ticket all of it can be done, else there are only its words. */
  macros: { values: MacroValues; ticket?: Ticket };
  /** Replies take files; a note is text alone. */
  takesFiles?: boolean;
  /** Where nobody can reply now: why, in the place of the box. */
  instead?: ReactNode;
  /** Whoever sends empties the draft once the text is kept elsewhere. */
  onSend: (said: Said) => void;
  /** Of a reply: that it is being written, or that nothing of it is left. */
  onTyping?: (typing: boolean) => void;
  /** The last public reply of somebody else of the team. */
  lastOther: OtherReply | null;
  /** Beside those that every box has. */
  tools?: ReactNode;
  /** Said below the text; without it, what the keys do. */
  remark?: ReactNode;
  /** What is chosen along with sending. */
  beforeSend?: ReactNode;
  /** Another way to send, beside the button. */
  afterSend?: (sendAndBeDone: () => void) => ReactNode;
}

/** The one box in which agents write, in chats and in tickets, to the visitor and to the team. */
export function WriteBox(props: WriteBoxProps) {
  const { writing, longest, sendsOn, macros, takesFiles = false, instead } = props;
  const { place } = writing;
  const { drafts, files } = useDesk();
  useEffect(() => drafts.open(place), [drafts, place]);
  const tab = useDrafted(place, (draft) => draft.tab);
  const isNote = tab === 'note';
  const isOpen = isNote || !instead;
  const [picking, setPicking] = useState(false);
  const pick = (): void => {
    holdTyped();
    setPicking(true);
  };
  const [finding, setFinding] = useState(false);
  const find = (): void => {
    holdTyped();
    setFinding(true);
  };
  useCommands({
    reply: () => writing.choose('reply'),
    note: () => writing.choose('note'),
    macro: isOpen ? pick : undefined,
    article_link: isOpen ? find : undefined,
  });
  const addFiles = takesFiles && isOpen && !isNote ? (added: File[]) => files.add(place, added) : undefined;
  const { over, onPaste } = useGivenFiles(addFiles);
  const tellViewing = useTellViewing(place);
  const answered = useAnsweredMeanwhile(place, props.lastOther);
  const tellTyping = (typing: boolean): void => {
    tellViewing(typing);
    props.onTyping?.(typing);
  };

  const send = (done = false): void => {
    const text = drafts.get(place)[tab].trim();
    const waiting = addFiles ? files.of(place) : [];
    const hasFile = waiting.some(({ state }) => state === 'ready');
    const isOnItsWay = waiting.some(({ state }) => state === 'uploading');
    // What is still on its way waits for the next one: it never holds up the text.
    if (text.length > longest || (text === '' && (!hasFile || isOnItsWay))) return;
    if (!isNote && answered.hold()) return;
    tellTyping(false);
    const mentions = mentionsIn(drafts.get(place), tab);
    props.onSend({ tab, text, files: addFiles ? files.take(place) : [], mentions, done });
    if (!done || !goOn()) writing.focus();
  };
  const label = isNote ? t('note') : t('reply');
  return (
    <div className="shrink-0 px-4 pb-4 max-md:px-2 max-md:pb-[max(8px,env(safe-area-inset-bottom))] lg:px-6">
      <section
        aria-label={t('write')}
        onPaste={onPaste}
        className={cx(
          'mx-auto max-w-3xl rounded-xl border has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:-outline-offset-1',
          isNote
            ? 'border-note-line bg-note-ground outline-note-text'
            : 'border-line-strong bg-field outline-accent',
          over && 'border-accent border-dashed',
        )}
      >
        <WriteTabs tab={tab} onChoose={writing.choose} />
        {isOpen ? (
          <div role="tabpanel" aria-label={label}>
            {answered.by && !isNote ? (
              <AnsweredMeanwhile
                name={answered.by.name}
                onRead={() => {
                  answered.goOn();
                  readNewest();
                }}
                onSend={() => {
                  answered.goOn();
                  send();
                }}
              />
            ) : null}
            <DraftElsewhere place={place} tab={tab} />
            <TextBox
              writing={writing}
              tab={tab}
              label={label}
              placeholder={isNote ? t('write_note') : props.placeholder}
              sendsOn={sendsOn}
              onMacro={pick}
              onSend={send}
              onTyping={isNote ? undefined : tellTyping}
            />
            {addFiles ? <ComposerFiles place={place} /> : null}
            <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 pb-2 ps-2 pe-2">
              <div className="flex">
                <IconButton label={t('macros')} shortcut="m" onClick={pick}>
                  <Zap aria-hidden className="size-4" />
                </IconButton>
                <Suspense fallback={<span className="size-8 max-md:size-10" />}>
                  <EmojiMenu
                    onChoose={(emoji) => {
                      writing.type(emoji);
                      writing.focus();
                    }}
                  />
                </Suspense>
                <IconButton label={t('article_link')} shortcut={COMMANDS.article_link.keys} onClick={find}>
                  <BookOpen aria-hidden className="size-4" />
                </IconButton>
                {addFiles ? <AttachButton add={addFiles} /> : null}
                {props.tools}
              </div>
              <Remark place={place} tab={tab} longest={longest} sendsOn={sendsOn}>
                {props.remark}
              </Remark>
              <div className="ms-auto flex items-center gap-3">
                {props.beforeSend}
                <SendButton
                  place={place}
                  tab={tab}
                  longest={longest}
                  withFiles={addFiles !== undefined}
                  onSend={() => send()}
                />
                {props.afterSend?.(() => send(true))}
              </div>
            </div>
          </div>
        ) : (
          instead
        )}
      </section>
      {finding ? (
        <Suspense>
          <ArticleFinder
            onInsert={(link) => {
              writing.type(link);
              writing.focus();
            }}
            onClose={() => setFinding(false)}
          />
        </Suspense>
      ) : null}
      {picking ? (
        <Suspense>
          <MacroPicker {...macros} onInsert={writing.insert} onClose={() => setPicking(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** The end of what was said, above the box. */
function readNewest(): void {
  const log = document.querySelector('[role="log"]');
  log?.scrollTo({ top: log.scrollHeight });
}

interface RemarkProps {
  place: string;
  tab: Tab;
  longest: number;
  sendsOn: SendKey;
  children: ReactNode;
}

/** How much room is left when little is, else what there is to say, else what the keys do. */
function Remark({ place, tab, longest, sendsOn, children }: RemarkProps) {
  const length = useDrafted(place, (draft) => {
    const count = draft[tab].length;
    return count > longest - COUNTED_LAST ? count : Math.min(count, 1);
  });
  if (length > 1 || length > longest) {
    const left = longest - length;
    return (
      <p className={cx('tabular flex-1 text-xs', left < 0 ? 'text-danger-text' : 'text-soft')}>
        {left < 0 ? t('too_long', { count: -left }) : t('characters_left', { count: left })}
      </p>
    );
  }
  if (children) return children;
  return (
    <p className="line-clamp-2 min-w-0 flex-1 text-faint text-xs max-md:hidden">
      {length === 0 ? '' : t(sendsOn === 'enter' ? 'enter_sends' : 'ctrl_enter_sends')}
    </p>
  );
}
