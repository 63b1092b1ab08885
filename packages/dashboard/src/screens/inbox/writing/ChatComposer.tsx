import type { Session } from '@foyer/protocol';
import { MESSAGE_MAX } from '@foyer/protocol/values/bounds';
import { type ComponentProps, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useChatLog, useDesk, useMay, useMe } from '../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../lazy-part.ts';
import { nameWithin, visitorName } from '../../../words.ts';
import { type Hold, useHold, wasAskedFor } from '../chat/session-actions.ts';
import { useCopilot } from './copilot/use-copilot.tsx';
import { NotMine } from './drafts/NotMine.tsx';
import { useDrafted } from './drafts/use-draft.ts';
import { t } from './t.ts';
import { useTellTyping } from './tell-typing.ts';
import { useWriting } from './use-writing.ts';
import { WriteBox } from './WriteBox.tsx';

const MoreSend = lazyPart(() => import('./MoreSend.tsx'), 'MoreSend');

const NoReplies = lazyPart(() => import('../spam/NoReplies.tsx'), 'NoReplies');

/** Why the agent can't reply now; undefined if they can. */
function useInstead(session: Session, hold: Hold, way: ComponentProps<typeof NotMine>['way']): ReactNode {
  const mayAnswer = useMay('answer');
  if (session.spam || !mayAnswer)
    return (
      <Suspense>
        <NoReplies label={t('reply')} because={mayAnswer ? 'spam' : 'role'} />
      </Suspense>
    );
  return hold === 'mine' ? undefined : <NotMine session={session} hold={hold} way={way} />;
}

/** Where an agent writes: to the visitor, or an internal note. */
export function ChatComposer({ session }: { session: Session }) {
  const { outbox, log } = useDesk();
  const { session_id: place, visitor } = session;
  const hold = useHold(session);
  const writing = useWriting(place);
  const isNote = useDrafted(place, ({ tab }) => tab === 'note');
  const tellTyping = useTellTyping(place);

  const { agent } = useMe();
  const other = useChatLog(place).findLast(
    ({ sender, author }) => sender === 'agent' && author?.id !== agent.id,
  );

  const instead = useInstead(session, hold, writing.way);
  const copilot = useCopilot(session, writing, !isNote && hold === 'mine');

  const wasMine = useRef(hold === 'mine');
  useEffect(() => {
    if (hold === 'mine' && !wasMine.current && wasAskedFor(place)) writing.focusWithTyped();
    wasMine.current = hold === 'mine';
  }, [hold, place, writing]);

  return (
    <WriteBox
      writing={writing}
      placeholder={t('chat_placeholder', { name: nameWithin(visitorName(visitor)) })}
      longest={MESSAGE_MAX}
      sendsOn="enter"
      macros={{
        values: {
          'visitor.name': visitor.name,
          'visitor.email': visitor.email,
          'ticket.id': session.ticket_id,
          'ticket.subject': null,
        },
        target: { session },
      }}
      takesFiles
      lastOther={other ? { mark: other.seq, name: other.author?.name ?? t('a_colleague') } : null}
      instead={instead}
      onTyping={tellTyping}
      onSend={({ tab, done, ...said }) => {
        const closes = done && hold === 'mine';
        outbox.add({ place, kind: tab, ...said, seen: log.lastSeq(place), ...(closes ? { closes } : {}) });
        writing.put(tab, '');
        copilot.reset();
      }}
      tools={copilot.tools}
      afterSend={(sendAndBeDone) =>
        isNote ? null : (
          <Suspense>
            <MoreSend place={place} longest={MESSAGE_MAX} onSendAndClose={sendAndBeDone} />
          </Suspense>
        )
      }
      remark={copilot.remark}
    />
  );
}
