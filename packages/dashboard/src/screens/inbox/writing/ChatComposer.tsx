import type { Session } from '@foyer/protocol';
import { MESSAGE_MAX } from '@foyer/protocol/bounds';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useCommands } from '../../../commands/commands.ts';
import { useChatLog, useDesk, useMe } from '../../../desk/DeskContext.tsx';
import { part } from '../../../part.ts';
import { say } from '../../../ui/toast-store.ts';
import { nameWithin, visitorName } from '../../../words.ts';
import { useHold } from '../session-actions.ts';
import { NotMine } from './NotMine.tsx';
import { Rewritten, SuggestButton, SuggestedFrom, useSuggestion } from './SuggestReply.tsx';
import { t } from './t.ts';
import { useTellTyping } from './tell-typing.ts';
import { useDrafted } from './use-draft.ts';
import { useWriting } from './use-writing.ts';
import { WriteBox } from './WriteBox.tsx';

const RewriteMenu = part(() => import('./RewriteMenu.tsx'), 'RewriteMenu');
const MoreSend = part(() => import('./MoreSend.tsx'), 'MoreSend');

/** Where an agent writes: to the visitor, or a note that only the team sees. */
export function ChatComposer({ session }: { session: Session }) {
  const { outbox, drafts, log } = useDesk();
  const { session_id: place, visitor } = session;
  const hold = useHold(session);
  const writing = useWriting(place);
  const isNote = useDrafted(place, ({ tab }) => tab === 'note');
  const tellTyping = useTellTyping(place);

  const { agent } = useMe();
  const other = useChatLog(place).findLast(
    ({ sender, author }) => sender === 'agent' && author?.id !== agent.id,
  );

  const suggestion = useSuggestion(session, (found) => {
    writing.insert(found, 'reply');
    setBefore(null);
  });
  /** The draft as it was before it was rewritten. */
  const [before, setBefore] = useState<string | null>(null);
  const takeRewritten = (rewritten: string, asked: string): void => {
    const { reply } = drafts.get(place);
    // What was typed meanwhile is not lost for it.
    if (reply.trim() !== asked) {
      say(t('draft_kept'));
      return;
    }
    setBefore(reply);
    writing.put('reply', rewritten);
  };
  const maySuggest = !isNote && hold === 'mine';
  const suggest = (): void => {
    if (!suggestion.isPending) suggestion.mutate();
  };
  useCommands({ suggest: maySuggest ? suggest : undefined });

  const wasMine = useRef(hold === 'mine');
  useEffect(() => {
    if (hold === 'mine' && !wasMine.current) writing.focus();
    wasMine.current = hold === 'mine';
  }, [hold, writing]);

  return (
    <WriteBox
      writing={writing}
      placeholder={t('write_to_or_macro', { name: nameWithin(visitorName(visitor)) })}
      longest={MESSAGE_MAX}
      sendsOn="enter"
      macros={{
        values: {
          'visitor.name': visitor.name,
          'visitor.email': visitor.email,
          'ticket.id': null,
          'ticket.subject': null,
        },
      }}
      takesFiles
      lastOther={other ? { mark: other.seq, name: other.author?.name ?? t('a_colleague') } : null}
      instead={hold === 'mine' ? undefined : <NotMine session={session} hold={hold} way={writing.way} />}
      onTyping={tellTyping}
      onSend={({ tab, done, ...said }) => {
        const closes = done && hold === 'mine';
        outbox.add({ place, kind: tab, ...said, seen: log.lastSeq(place), ...(closes ? { closes } : {}) });
        writing.put(tab, '');
        suggestion.reset();
        setBefore(null);
      }}
      tools={
        maySuggest ? (
          <>
            <SuggestButton busy={suggestion.isPending} onSuggest={suggest} />
            <Suspense>
              <RewriteMenu session={session} onRewritten={takeRewritten} />
            </Suspense>
          </>
        ) : null
      }
      afterSend={(sendAndBeDone) =>
        isNote ? null : (
          <Suspense>
            <MoreSend place={place} longest={MESSAGE_MAX} onSendAndClose={sendAndBeDone} />
          </Suspense>
        )
      }
      remark={
        maySuggest && before !== null ? (
          <Rewritten
            onUndo={() => {
              writing.put('reply', before);
              setBefore(null);
            }}
          />
        ) : maySuggest && suggestion.data ? (
          <SuggestedFrom suggested={suggestion.data} />
        ) : null
      }
    />
  );
}
