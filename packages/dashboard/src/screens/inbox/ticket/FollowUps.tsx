import type { Ticket } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { followUpsQuery } from '../../../queries.ts';
import { Fact } from '../PaneParts.tsx';
import { t as tInbox } from '../t.ts';
import { t } from './t.ts';
import { statusWord } from './ticket-words.ts';

/** The follow-ups of a closed ticket. */
export function FollowUps({ ticket }: { ticket: Ticket }) {
  const isClosed = ticket.status === 'closed';
  const { data } = useQuery({ ...followUpsQuery(ticket.id), enabled: isClosed });
  if (!isClosed || !data || data.tickets.length === 0) return null;
  return (
    <Fact name={t('fact_followed')}>
      <ul>
        {data.tickets.map(({ id, status }) => (
          <li key={id}>
            <Link
              to="/inbox/tickets/$ticketId"
              params={{ ticketId: String(id) }}
              search={true}
              className="text-accent-text hover:underline"
            >
              {tInbox('ticket_number', { id: String(id) })}
            </Link>
            <span className="text-soft"> · {statusWord(status)}</span>
          </li>
        ))}
      </ul>
    </Fact>
  );
}
