import { type ReactNode, useEffect } from 'react';
import { useCommands } from '../../../commands/commands.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';
import type { Tab } from '../../../live/kept-draft.ts';
import { cx } from '../../../ui/classes.ts';
import { ComposerFiles, useGivenFiles } from './ComposerFiles.tsx';
import { AnsweredMeanwhile } from './drafts/AnsweredMeanwhile.tsx';
import { DraftElsewhere } from './drafts/DraftElsewhere.tsx';
import type { OtherReply } from './drafts/use-answered-meanwhile.ts';
import { useDrafted } from './drafts/use-draft.ts';
import { type SendKey, TextBox, type TextBoxProps } from './TextBox.tsx';
import { t } from './t.ts';
import { type Inserting, type MacrosHere, useInserting } from './use-inserting.tsx';
import { type Said, type Sending, useSending } from './use-sending.ts';
import type { Writing } from './use-writing.ts';
import { WriteFooter } from './WriteFooter.tsx';
import { WriteTabs } from './WriteTabs.tsx';

interface WriteBoxProps {
  writing: Writing;
  /** For a reply. A note's says who can see it. */
  placeholder: string;
  /** The maximum length that can be sent. */
  longest: number;
  sendsOn: SendKey;
  macros: MacrosHere;
  /** Default: the plain one. */
  textBox?: (props: TextBoxProps) => ReactNode;
  /** Replies accept files; notes are text only. */
  takesFiles?: boolean;
  /** Shown instead of the box if nobody can reply now, with the reason. */
  instead?: ReactNode;
  /** The draft is emptied once the text is stored in the outbox. */
  onSend: (said: Said) => void;
  /** For a reply: it is being written, or was emptied. */
  onTyping?: (typing: boolean) => void;
  /** The last public reply of another team member. */
  lastOther: OtherReply | null;
  /** In addition to those of every box. */
  tools?: ReactNode;
  /** Below a reply's text. */
  below?: ReactNode;
  /** A remark below the text; by default, what the keys do. */
  remark?: ReactNode;
  /** Options before the send button. */
  beforeSend?: ReactNode;
  /** Another way to send, beside the button. */
  afterSend?: (sendAndBeDone: () => void) => ReactNode;
}

/** The one box in which agents write, in chats and tickets, to the visitor and to the team. */
export function WriteBox(props: WriteBoxProps) {
  const { writing, instead } = props;
  const { place } = writing;
  const { drafts, files } = useDesk();
  useEffect(() => drafts.open(place), [drafts, place]);
  const tab = useDrafted(place, (draft) => draft.tab);
  const isNote = tab === 'note';
  const isOpen = isNote || !instead;
  useCommands({ reply: () => writing.choose('reply'), note: () => writing.choose('note') });
  const inserting = useInserting(writing, props.macros, isOpen);
  const addFiles =
    props.takesFiles && isOpen && !isNote ? (added: File[]) => files.add(place, added) : undefined;
  const { over, onPaste } = useGivenFiles(addFiles);
  const sending = useSending({ ...props, tab, withFiles: addFiles !== undefined });
  return (
    <div className="shrink-0 px-4 pb-4 max-md:px-2 max-md:pb-[max(8px,env(safe-area-inset-bottom))] lg:px-6">
      <section
        aria-label={t('write')}
        onPaste={onPaste}
        className={cx(
          'mx-auto max-w-3xl rounded-xl border has-[:is(textarea,[contenteditable]):focus-visible]:outline-2 has-[:is(textarea,[contenteditable]):focus-visible]:-outline-offset-1',
          isNote
            ? 'border-note-line bg-note-ground outline-note-text'
            : 'border-line-strong bg-field outline-accent',
          over && 'border-accent border-dashed',
        )}
      >
        <WriteTabs tab={tab} onChoose={writing.choose} />
        {isOpen ? (
          <Panel {...props} tab={tab} addFiles={addFiles} inserting={inserting} sending={sending} />
        ) : (
          instead
        )}
      </section>
      {inserting.dialogs}
    </div>
  );
}

interface PanelProps extends WriteBoxProps {
  tab: Tab;
  addFiles: ((files: File[]) => void) | undefined;
  inserting: Inserting;
  sending: Sending;
}

const plainTextBox = (props: TextBoxProps): ReactNode => <TextBox {...props} />;

/** The text, its files, and the send button. */
function Panel(props: PanelProps) {
  const { writing, tab, sendsOn, addFiles, textBox = plainTextBox } = props;
  const { pickMacro, pickBySlash, findArticle } = props.inserting;
  const { answered, tellTyping, send } = props.sending;
  const isNote = tab === 'note';
  const label = isNote ? t('note') : t('reply');
  return (
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
      <DraftElsewhere place={writing.place} tab={tab} />
      {textBox({
        writing,
        tab,
        label,
        placeholder: isNote ? t('note_placeholder') : props.placeholder,
        sendsOn,
        onSlash: pickBySlash,
        onSend: send,
        onTyping: isNote ? undefined : tellTyping,
      })}
      {isNote ? null : props.below}
      {addFiles ? <ComposerFiles place={writing.place} /> : null}
      <WriteFooter {...props} onMacro={pickMacro} onArticle={findArticle} send={send} />
    </div>
  );
}

/** Shows the latest messages above the box. */
function readNewest(): void {
  const log = document.querySelector('[role="log"]');
  log?.scrollTo({ top: log.scrollHeight });
}
