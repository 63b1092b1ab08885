import type { SessionDetail } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UserX } from 'lucide-react';
import type { ReactNode } from 'react';
import { mailStatusQuery } from '../../../queries.ts';
import { visitorName } from '../../../words.ts';
import { profileQuery } from '../../visitors/person/person-queries.ts';
import { t as tInbox } from '../t.ts';
import { t } from './t.ts';

/** Visitors coming and going are only reported per site; this chat's visitor is polled. */
const ASK_EVERY_MS = 10_000;

/**
 * Says above the reply box that a reply won't be read now, and what reaches the visitor instead. Hidden while they
 * are there.
 */
export function ReachNote({ session }: { session: SessionDetail }) {
  const words = useReach(session);
  if (words === null) return null;
  return (
    <div className="shrink-0 px-4 max-md:px-2 lg:px-6">
      <p role="status" className="wrap-anywhere mx-auto flex max-w-3xl gap-2 pb-2 text-soft text-xs">
        <UserX aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0">{words}</span>
      </p>
    </div>
  );
}

function useReach({
  visitor,
  status,
  page_url,
  contact_email,
  ticket_id,
  unread_goes_to,
}: SessionDetail): ReactNode {
  const { key } = visitor;
  const { data: person } = useQuery({
    ...profileQuery(key ?? ''),
    enabled: key !== null,
    refetchInterval: ASK_EVERY_MS,
  });
  const { data: mail } = useQuery({ ...mailStatusQuery, enabled: contact_email !== null });
  const name = visitorName(visitor);
  if (key === null) return tInbox('reach_erased');
  if (!person) return null;
  if (status === 'closed') return person.blocked_utc === null ? null : tInbox('reach_blocked', { name });
  // A chat without a page says nothing about where its visitor is.
  if (person.here !== null || page_url === null || status === 'bot') return null;
  if (unread_goes_to !== null) return t.rich('reach_by_email', { name, email: <bdi>{unread_goes_to}</bdi> });
  if (contact_email === null || ticket_id === null || !mail?.sends_mail)
    return tInbox('reach_left', { name });
  return tInbox.rich('reach_left_email', {
    name,
    email: <bdi>{contact_email}</bdi>,
    ticket: (
      <Link
        to="/inbox/tickets/$ticketId"
        params={{ ticketId: String(ticket_id) }}
        search={true}
        className="text-accent-text underline underline-offset-2"
      >
        {tInbox('ticket_number', { id: String(ticket_id) })}
      </Link>
    ),
  });
}
