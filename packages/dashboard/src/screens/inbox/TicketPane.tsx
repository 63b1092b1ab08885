import type { TicketDetail, TicketHistoryEntry, TicketPriority } from '@foyer/protocol';
import { TICKET_PRIORITIES } from '@foyer/protocol/wire-names';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { COMMANDS, handlerOf } from '../../commands/commands.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { agentsQuery, ticketHistoryQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { Ago } from '../../ui/Time.tsx';
import { Tip } from '../../ui/Tip.tsx';
import { copyLink } from './copy-link.ts';
import { FollowUps } from './FollowUps.tsx';
import { LazyPersonPanel } from './LazyPersonPanel.tsx';
import { Fact, Nothing, Part } from './PaneParts.tsx';
import { TagEditor } from './TagEditor.tsx';
import { t } from './t.ts';
import { nextStatuses, useTicketChange } from './ticket-actions.ts';
import { historyWords } from './ticket-history.ts';
import { priorityWord, statusWord } from './ticket-words.ts';

/** What a ticket is: its state, whose it is, who asks, and what has become of it. */
export function TicketPane({ ticket }: { ticket: TicketDetail }) {
  return (
    <LazyPersonPanel visitor={ticket.requester} beside={{ ticket_id: ticket.id }}>
      <Properties ticket={ticket} />
      <Links ticket={ticket} />
      <History id={ticket.id} />
    </LazyPersonPanel>
  );
}

function Properties({ ticket }: { ticket: TicketDetail }) {
  const { agent: me } = useMe();
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const change = useTicketChange(ticket);
  const isClosed = ticket.status === 'closed';
  const { assignee } = ticket;
  const assignTo = (id: number | null): void => {
    if (id === (assignee?.id ?? null)) return;
    const name = agents.find((agent) => agent.id === id)?.name ?? '';
    change.mutate({
      change: { assignee_id: id },
      done:
        id === null
          ? t('ticket_unassigned')
          : id === me.id
            ? t('ticket_mine')
            : t('ticket_assigned', { name }),
    });
  };
  return (
    <Part title={t('ticket')}>
      <div className="space-y-3">
        <SelectField
          label={t('status')}
          disabled={isClosed}
          value={ticket.status}
          onChange={(event) => {
            const status = nextStatuses(ticket.status).find((one) => one === event.target.value);
            if (status)
              change.mutate({
                change: { status },
                done: t('ticket_is', { status: statusWord(status).toLocaleLowerCase() }),
              });
          }}
        >
          {[...new Set([ticket.status, ...nextStatuses(ticket.status)])].map((status) => (
            <option key={status} value={status}>
              {statusWord(status)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('priority')}
          value={ticket.priority}
          onChange={(event) => {
            const priority = event.target.value as TicketPriority;
            change.mutate({
              change: { priority },
              done: t('priority_is', { priority: priorityWord(priority).toLocaleLowerCase() }),
            });
          }}
        >
          {TICKET_PRIORITIES.map((value) => (
            <option key={value} value={value}>
              {priorityWord(value)}
            </option>
          ))}
        </SelectField>
        <div>
          <SelectField
            label={t('assignee')}
            value={assignee?.id ?? ''}
            onChange={(event) => assignTo(event.target.value === '' ? null : Number(event.target.value))}
          >
            <option value="">{t('nobody')}</option>
            {assignee && !agents.some(({ id }) => id === assignee.id) ? (
              <option value={assignee.id}>{assignee.name}</option>
            ) : null}
            {agents.map((agent) => (
              <option key={agent.id} value={agent.id}>
                {agent.id === me.id ? t('agent_me', { name: agent.name }) : agent.name}
              </option>
            ))}
          </SelectField>
          {assignee?.id === me.id ? null : (
            <Button small look="quiet" className="-ms-3 mt-1" onClick={() => assignTo(me.id)}>
              {t('assign_me')}
            </Button>
          )}
        </div>
        <div>
          <p className="mb-1 font-medium">{t('tags')}</p>
          <TagEditor tags={ticket.tags} onChange={(tags) => change.mutate({ change: { tags } })} />
        </div>
      </div>
    </Part>
  );
}

function Links({ ticket }: { ticket: TicketDetail }) {
  const { session_id, follow_up_of, external_id } = ticket;
  return (
    <Part title={t('about')}>
      <dl className="space-y-1">
        <Fact name={t('fact_made')}>
          <Ago words utc={ticket.created_utc} />
        </Fact>
        {session_id ? (
          <Fact name={t('chat')}>
            <Link
              to="/inbox/$sessionId"
              params={{ sessionId: session_id }}
              search={true}
              className="text-accent-text hover:underline"
            >
              {t('made_of_chat')}
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
              {t('ticket_number', { id: String(follow_up_of) })}
            </Link>
          </Fact>
        ) : null}
        <FollowUps ticket={ticket} />
        {external_id ? <Fact name={t('fact_external')}>{external_id}</Fact> : null}
      </dl>
      <div className="mt-1 -ms-3 flex flex-wrap">
        <Button small look="quiet" onClick={() => void copyLink(`tickets/${ticket.id}`)}>
          {t('copy_link')}
        </Button>
        <Tip text={t('mark_unread')} shortcut={COMMANDS.mark_unread.keys}>
          <Button small look="quiet" onClick={() => handlerOf('mark_unread')?.run?.()}>
            {t('mark_unread')}
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
