import type { TicketDetail, TicketHistoryEntry } from '@foyer/protocol';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { COMMANDS, handlerOf } from '../../../commands/commands.ts';
import { lazyPart } from '../../../lazy-part.ts';
import { ticketHistoryQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { Tip } from '../../../ui/Tip.tsx';
import { copyCustomerLink, copyLink } from '../copy-link.ts';
import { LazyFields } from '../LazyFields.tsx';
import { LazyPersonPanel } from '../LazyPersonPanel.tsx';
import { Fact, Nothing, Part } from '../PaneParts.tsx';
import { useMarkableTicket, useSpamCommand } from '../spam/use-spam.ts';
import { t as tInbox } from '../t.ts';
import { FollowUps } from './FollowUps.tsx';
import { TicketProperties } from './TicketProperties.tsx';
import { t } from './t.ts';
import { useSaveFields } from './ticket-actions.ts';
import { historyWords } from './ticket-history.ts';

/** Only sites with SLA policies load it. */
const SlaPart = lazyPart(() => import('../sla/SlaPart.tsx'), 'SlaPart');

/** A ticket's status, assignee, customer and history. */
export function TicketPane({ ticket }: { ticket: TicketDetail }) {
  const saveFields = useSaveFields(ticket);
  return (
    <LazyPersonPanel visitor={ticket.requester} beside={{ ticket_id: ticket.id }}>
      <TicketProperties ticket={ticket} />
      {ticket.sla ? (
        <Suspense>
          <SlaPart sla={ticket.sla} />
        </Suspense>
      ) : null}
      <LazyFields
        owner="tickets"
        values={ticket.fields}
        isDone={ticket.status === 'solved' || ticket.status === 'closed'}
        save={saveFields}
      />
      <Links ticket={ticket} />
      <History id={ticket.id} />
    </LazyPersonPanel>
  );
}

function Links({ ticket }: { ticket: TicketDetail }) {
  const { session_id, follow_up_of, external_id } = ticket;
  const spam = useSpamCommand(useMarkableTicket(ticket));
  return (
    <Part title={t('about')}>
      <dl className="space-y-1">
        <Fact name={t('fact_created')}>
          <Ago words utc={ticket.created_utc} />
        </Fact>
        {session_id ? (
          <Fact name={tInbox('chat')}>
            <Link
              to="/inbox/$sessionId"
              params={{ sessionId: session_id }}
              search={true}
              className="text-accent-text hover:underline"
            >
              {t('source_chat')}
            </Link>
          </Fact>
        ) : null}
        {follow_up_of ? (
          <Fact name={t('fact_follows')}>
            <Link
              to="/inbox/tickets/$ticketId"
              params={{ ticketId: String(follow_up_of) }}
              search={true}
              className="text-accent-text hover:underline"
            >
              {tInbox('ticket_number', { id: String(follow_up_of) })}
            </Link>
          </Fact>
        ) : null}
        <FollowUps ticket={ticket} />
        {external_id ? <Fact name={t('fact_external')}>{external_id}</Fact> : null}
      </dl>
      <div className="mt-1 -ms-3 flex flex-wrap">
        <Button small look="quiet" onClick={() => void copyLink(`tickets/${ticket.id}`)}>
          {tInbox('copy_link')}
        </Button>
        <Button small look="quiet" onClick={() => void copyCustomerLink(ticket.id)}>
          {tInbox('copy_customer_link')}
        </Button>
        <Tip text={tInbox('mark_unread')} shortcut={COMMANDS.mark_unread.keys}>
          <Button small look="quiet" onClick={() => handlerOf('mark_unread')?.run?.()}>
            {tInbox('mark_unread')}
          </Button>
        </Tip>
        <Tip text={spam.label} shortcut={COMMANDS.spam.keys}>
          <Button small look="quiet" onClick={spam.run}>
            {spam.label}
          </Button>
        </Tip>
      </div>
    </Part>
  );
}

function History({ id }: { id: number }) {
  const list = useInfiniteQuery(ticketHistoryQuery(id));
  const entries = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Part title={t('history')}>
      {entries.length === 0 && list.isSuccess ? <Nothing>{t('history_nothing')}</Nothing> : null}
      <ul className="space-y-2">
        {entries.map((entry) => (
          <HistoryLine key={entry.id} entry={entry} />
        ))}
      </ul>
      {list.hasNextPage ? (
        <Button
          small
          look="quiet"
          className="-ms-3 mt-2"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('earlier')}
        </Button>
      ) : null}
    </Part>
  );
}

function HistoryLine({ entry }: { entry: TicketHistoryEntry }) {
  return (
    <li>
      <p className="wrap-anywhere">
        <bdi className="font-medium">{entry.author.name}</bdi> {historyWords(entry)}
      </p>
      <Ago words utc={entry.created_utc} className="text-faint text-xs" />
    </li>
  );
}
