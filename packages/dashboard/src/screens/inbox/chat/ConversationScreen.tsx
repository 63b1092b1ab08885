import type { SessionDetail } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../lazy-part.ts';
import { sessionQuery } from '../../../queries.ts';
import { tCommon } from '../../../t-common.ts';
import { Bone } from '../../../ui/States.tsx';
import { BackToList } from '../BackToList.tsx';
import { useMarkRead } from '../mark-read.ts';
import { NotLoaded } from '../NotLoaded.tsx';
import { PersonPane } from '../PersonPane.tsx';
import { t } from '../t.ts';
import { ChatComposer } from '../writing/ChatComposer.tsx';
import { ViewersLine } from '../writing/ViewersLine.tsx';
import { ChatHeader } from './ChatHeader.tsx';
import { MessageList } from './MessageList.tsx';

/** Only if there is no room beside the chat. */
const SidePanel = lazyPart(
  () => import('../../../ui/dialogs/Dialog.tsx').then(({ SidePanel }) => ({ SidePanel })),
  'SidePanel',
);

const SnoozedChat = lazyPart(() => import('../snooze/SnoozedBanner.tsx'), 'SnoozedChat');

const SpamChat = lazyPart(() => import('../spam/SpamBanner.tsx'), 'SpamChat');

const ChatNeighbours = lazyPart(() => import('../delivery/ChatNeighbours.tsx'), 'ChatNeighbours');

const ReachNote = lazyPart(() => import('../delivery/ReachNote.tsx'), 'ReachNote');

const route = getRouteApi('/desk/inbox/$sessionId');

/** One chat: its messages, the reply box, and the visitor. */
export function ConversationScreen() {
  const { sessionId } = route.useParams();
  return <Conversation key={sessionId} sessionId={sessionId} />;
}

function Conversation({ sessionId }: { sessionId: string }) {
  const desk = useDesk();
  const { data, error, refetch } = useQuery(sessionQuery(sessionId));
  useEffect(() => desk.live.subscribe(sessionId), [desk, sessionId]);
  useEffect(() => desk.notifications.look({ session_id: sessionId }), [desk, sessionId]);
  if (data) return <Loaded session={data} />;
  if (error)
    return (
      <NotLoaded
        error={error}
        onRetry={() => void refetch()}
        icon={<MessagesSquare />}
        missing={{ title: t('no_chat'), hint: t('no_chat_hint') }}
        failed={t('chat_not_loaded')}
      />
    );
  return <Loading />;
}

function Loaded({ session }: { session: SessionDetail }) {
  const [details, setDetails] = useState(false);
  useMarkRead(session);
  return (
    <>
      <section
        aria-label={t('chat')}
        className="pane painted-apart flex min-h-0 min-w-0 flex-1 flex-col bg-surface"
      >
        <ChatHeader session={session} onDetails={() => setDetails(true)} />
        {session.spam === null ? null : (
          <Suspense>
            <SpamChat session={session} />
          </Suspense>
        )}
        {session.snoozed_until_utc === null ? null : (
          <Suspense>
            <SnoozedChat session={session} />
          </Suspense>
        )}
        {(session.previous_session_id ?? session.next_session_id) === null ? null : (
          <Suspense>
            <ChatNeighbours session={session} />
          </Suspense>
        )}
        <ViewersLine place={session.session_id} />
        <MessageList session={session} />
        <Suspense>
          <ReachNote session={session} />
        </Suspense>
        <ChatComposer session={session} />
      </section>
      <aside
        aria-label={t('person')}
        className="painted-apart scroll-y w-80 shrink-0 border-s bg-surface max-xl:hidden"
      >
        <PersonPane session={session} />
      </aside>
      {details ? (
        <Suspense>
          <SidePanel open onClose={() => setDetails(false)} title={t('person')}>
            <PersonPane session={session} />
          </SidePanel>
        </Suspense>
      ) : null}
    </>
  );
}

function Loading() {
  return (
    <div
      role="status"
      aria-label={tCommon('loading')}
      className="late flex min-w-0 flex-1 flex-col bg-surface"
    >
      <div className="pulse-soft flex h-14 items-center gap-3 border-b px-4 max-md:ps-1">
        <BackToList />
        <Bone round className="size-8" />
        <Bone className="h-4 w-40" />
      </div>
      <div className="pulse-soft flex-1 space-y-4 p-6">
        <Bone className="h-10 w-2/5" />
        <Bone className="ms-auto h-16 w-1/2" />
        <Bone className="h-10 w-1/3" />
      </div>
    </div>
  );
}
