import type { Ticket } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ticketMailQuery } from '../../../queries.ts';
import { visitorName } from '../../../words.ts';
import { t } from '../t.ts';
import { MailLine } from './MailLine.tsx';

/** How a ticket's requester will receive the next reply; `children`: the alternatives if it isn't emailed. */
export function TicketMailLine({ ticket, children }: { ticket: Ticket; children?: ReactNode }) {
  const { data } = useQuery(ticketMailQuery(ticket.id));
  if (!data || ticket.status === 'closed') return null;
  if (ticket.requester.key === null) return <p className="py-2 text-soft text-xs">{t('reach_erased')}</p>;
  return (
    <MailLine
      goesTo={data.goes_to}
      sendsMail={data.sends_mail}
      inChat={data.in_chat}
      name={visitorName(ticket.requester)}
    >
      {children}
    </MailLine>
  );
}
