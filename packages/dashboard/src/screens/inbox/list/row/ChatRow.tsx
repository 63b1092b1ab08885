import type { Session } from '@foyer/protocol';
import { Mail } from 'lucide-react';
import { Suspense } from 'react';
import { lazyPart } from '../../../../lazy-part.ts';
import { Face } from '../../../../ui/Face.tsx';
import { snippetOf, stateSentence, unreadCount, visitorName } from '../../../../words.ts';
import { t } from '../../t.ts';
import { DraftMark } from '../../writing/drafts/DraftMark.tsx';
import { RowLines, type RowProps, RowState, UnreadMark } from './RowLines.tsx';
import { RowAssignee, RowTags, RowTeam, SnoozedUntil, SpamSince } from './RowMarks.tsx';
import { turnLook, turnOfChat, turnWords } from './turn.ts';

/** Only sites with SLA policies load it. */
const DueMark = lazyPart(() => import('../../sla/DueMark.tsx'), 'DueMark');

/** A chat in the list: visitor, last message or search hit, whose turn it is, tags and assignee. */
export function ChatRow({ session, ...row }: RowProps & { session: Session }) {
  const { isOpen, hasDraft, now, myId } = row;
  const { visitor, last_message, contact_email, agent, team, tags, sla, snoozed_until_utc, spam } = session;
  const count = isOpen ? 0 : unreadCount(session);
  const isUnread = count > 0 || (session.marked_unread && !isOpen);
  const turn = contact_email || snoozed_until_utc || spam ? undefined : turnOfChat(session);
  const isWaiting = turn?.kind === 'waiting';
  const hasMarks = isUnread || hasDraft || agent !== null || team !== null || tags.length > 0 || sla?.due_utc;
  const isDrafted = hasDraft && !isOpen;
  return (
    <RowLines
      {...row}
      face={<Face kind="visitor" name={visitor.name} className="row-face row-span-3" />}
      name={visitorName(visitor)}
      utc={last_message?.created_utc ?? session.started_utc}
      snippet={snippetOf(session, myId)}
      isUnread={isUnread}
      state={
        <RowState
          className={turnLook(turn, 'chat', now)}
          marks={
            hasMarks && (
              <>
                <RowTags tags={tags} />
                {sla?.due_utc ? (
                  <Suspense>
                    <DueMark sla={sla} now={now} />
                  </Suspense>
                ) : null}
                {isDrafted ? <DraftMark /> : null}
                {count > 0 ? <Unread count={count} /> : isUnread ? <UnreadMark /> : null}
                <RowTeam team={team} />
                <RowAssignee agent={agent} picture={agent?.picture_url ?? null} myId={myId} />
              </>
            )
          }
        >
          {spam ? (
            <SpamSince mark={spam} now={now} />
          ) : snoozed_until_utc ? (
            <SnoozedUntil utc={snoozed_until_utc} />
          ) : contact_email ? (
            <Mail aria-hidden className="me-1 inline size-3.5" />
          ) : isWaiting ? (
            <span aria-hidden className="me-1 inline-block size-1.5 rounded-full bg-current align-middle" />
          ) : null}
          {spam || snoozed_until_utc ? null : turn ? turnWords(turn, now) : stateSentence(session, now, myId)}
        </RowState>
      }
    />
  );
}

const Unread = ({ count }: { count: number }) => (
  <span className="tabular rounded-md bg-accent px-1.5 font-semibold text-on-accent">
    <span aria-hidden>{count}</span>
    <span className="sr-only">{t('unread', { count })}</span>
  </span>
);
