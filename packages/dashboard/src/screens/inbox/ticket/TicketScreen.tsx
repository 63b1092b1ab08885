import type { TicketDetail } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Check, Merge, PanelRight, RotateCcw, Ticket } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { openPalette } from '../../../commands/ask.ts';
import { COMMANDS, useCommands } from '../../../commands/commands.ts';
import { useDesk, useMay } from '../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../lazy-part.ts';
import { placeOf } from '../../../live/drafts.ts';
import { ticketQuery } from '../../../queries.ts';
import { tCommon } from '../../../t-common.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { SidePanel } from '../../../ui/dialogs/Dialog.tsx';
import { Bone } from '../../../ui/States.tsx';
import { Tip } from '../../../ui/Tip.tsx';
import { visitorName } from '../../../words.ts';
import { BackToList } from '../BackToList.tsx';
import { goOn } from '../go-on.ts';
import { useMarkTicketRead } from '../mark-read.ts';
import { NotLoaded } from '../NotLoaded.tsx';
import { SnoozedTicket } from '../snooze/SnoozedBanner.tsx';
import { SnoozeMenu } from '../snooze/SnoozeMenu.tsx';
import { useSnoozableTicket } from '../snooze/use-snooze.ts';
import { SpamTicket } from '../spam/SpamBanner.tsx';
import { t as tInbox } from '../t.ts';
import { TicketComposer } from '../writing/TicketComposer.tsx';
import { ViewersLine } from '../writing/ViewersLine.tsx';
import { Subject } from './Subject.tsx';
import { TicketPane } from './TicketPane.tsx';
import { TicketThread } from './TicketThread.tsx';
import { t } from './t.ts';
import { useTicketChange } from './ticket-actions.ts';
import { useTicketCommands } from './ticket-commands.ts';
import { statusWord } from './ticket-words.ts';

const TicketMailNote = lazyPart(() => import('../delivery/TicketMailNote.tsx'), 'TicketMailNote');
const MergeConfirm = lazyPart(() => import('../bulk/MergeConfirm.tsx'), 'MergeConfirm');

const route = getRouteApi('/desk/inbox/tickets/$ticketId');

/** One ticket: its messages, the reply box, and its properties. */
export function TicketScreen() {
  const { ticketId } = route.useParams();
  const id = Number(ticketId);
  const isId = Number.isSafeInteger(id) && id > 0;
  const { data, error, refetch } = useQuery({ ...ticketQuery(id), enabled: isId });
  if (data) return <Loaded key={data.id} ticket={data} />;
  if (error || !isId)
    return (
      <NotLoaded
        error={error}
        onRetry={() => void refetch()}
        icon={<Ticket />}
        missing={{ title: t('no_ticket'), hint: t('no_ticket_hint') }}
        failed={t('ticket_not_loaded')}
      />
    );
  return <Loading />;
}

function Loaded({ ticket }: { ticket: TicketDetail }) {
  const [details, setDetails] = useState(false);
  const [intoId, setIntoId] = useState<number | null>(null);
  useTicketCommands(ticket, setIntoId);
  useMarkTicketRead(ticket);
  const { notifications } = useDesk();
  useEffect(() => notifications.look({ ticket_id: ticket.id }), [notifications, ticket.id]);
  return (
    <>
      <section
        aria-label={tInbox('ticket_number', { id: String(ticket.id) })}
        className="pane painted-apart flex min-h-0 min-w-0 flex-1 flex-col bg-surface"
      >
        <TicketHeader ticket={ticket} onDetails={() => setDetails(true)} />
        <SpamTicket ticket={ticket} />
        <SnoozedTicket ticket={ticket} />
        <ViewersLine place={placeOf({ session_id: null, ticket_id: ticket.id })} />
        <TicketThread ticket={ticket} />
        <Suspense>
          <TicketMailNote ticket={ticket} />
        </Suspense>
        <TicketComposer ticket={ticket} />
      </section>
      <aside
        aria-label={t('about_ticket')}
        className="painted-apart scroll-y w-80 shrink-0 border-s bg-surface max-xl:hidden"
      >
        <TicketPane ticket={ticket} />
      </aside>
      <SidePanel open={details} onClose={() => setDetails(false)} title={t('about_ticket')}>
        <TicketPane ticket={ticket} />
      </SidePanel>
      {intoId === null ? null : (
        <Suspense>
          <MergeConfirm intoId={intoId} sources={[ticket]} onClose={() => setIntoId(null)} />
        </Suspense>
      )}
    </>
  );
}

const MergeButton = () => (
  <Tip text={t('merge_tip')} shortcut={COMMANDS.merge.keys}>
    <Button
      small
      look="quiet"
      aria-label={t('merge_tip')}
      icon={<Merge aria-hidden className="size-4" />}
      onClick={() => openPalette('merge')}
      className="@max-2xl:size-8 @max-2xl:px-0 max-sm:hidden"
    >
      <span className="@max-2xl:hidden">{t('merge')}</span>
    </Button>
  </Tip>
);

function TicketHeader({ ticket, onDetails }: { ticket: TicketDetail; onDetails: () => void }) {
  const change = useTicketChange(ticket);
  const isDone = ticket.status === 'solved' || ticket.status === 'closed';
  const mayAnswer = useMay('answer');
  const isFixed = ticket.status === 'closed' || !mayAnswer;
  const settle = (): void =>
    isDone
      ? change.mutate({ change: { status: 'open' }, done: t('ticket_reopened') })
      : change.mutate({ change: { status: 'solved' }, done: t('ticket_solved') }, { onSuccess: goOn });
  useCommands({
    done: isFixed ? undefined : { label: isDone ? t('reopen') : t('solve'), run: settle },
  });
  return (
    <header className="@container shrink-0 border-b">
      <div className="flex min-h-14 items-center gap-2 py-1 ps-4 pe-3 max-md:ps-1">
        <BackToList />
        <div className="min-w-0 flex-1">
          <Subject key={ticket.subject} ticket={ticket} />
          <p className="flex text-soft text-xs">
            <span className="shrink-0 whitespace-pre">
              #{ticket.id} · {statusWord(ticket.status)} ·{' '}
            </span>
            <bdi className="truncate">{visitorName(ticket.requester)}</bdi>
          </p>
        </div>
        {isFixed ? null : <MergeButton />}
        <SnoozeMenu of={useSnoozableTicket(ticket)} disabled={isDone || !mayAnswer} />
        {isFixed ? null : (
          <Tip text={isDone ? t('reopen_tip') : t('solve_tip')} shortcut="e">
            <Button
              small
              className="max-sm:w-10 max-sm:px-0"
              aria-label={isDone ? t('reopen') : t('solve')}
              icon={
                isDone ? (
                  <RotateCcw aria-hidden className="size-4" />
                ) : (
                  <Check aria-hidden className="size-4" />
                )
              }
              busy={change.isPending}
              onClick={settle}
            >
              <span className="max-sm:hidden">{isDone ? t('reopen') : t('solve')}</span>
            </Button>
          </Tip>
        )}
        <IconButton label={t('about_ticket')} onClick={onDetails} className="xl:hidden">
          <PanelRight aria-hidden className="size-4" />
        </IconButton>
      </div>
    </header>
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
        <Bone className="h-4 w-60" />
      </div>
      <div className="pulse-soft flex-1 space-y-4 p-6">
        <Bone className="h-24 w-full" />
        <Bone className="h-16 w-full" />
      </div>
    </div>
  );
}
