import {
  MAIL_OUTCOMES,
  type MailOutcome,
  SENT_MAIL_STATES,
  type SentMailState,
} from '@foyer/protocol/values/wire-names';
import { given, idOf, oneOf, textOf } from '../../address-search.ts';
import { callQuery, pagesQuery } from '../../call-queries.ts';

export const LOG_VIEWS = ['suspended', 'received', 'sent', 'blocked'] as const;
export type LogView = (typeof LOG_VIEWS)[number];

/** The mail log's view and filter in the address. */
export interface MailLogFilter {
  /** Suspended if omitted. */
  view?: LogView;
  q?: string;
  address?: string;
  outcome?: MailOutcome;
  state?: SentMailState;
  ticket?: number;
}

/** Reads the address of the mail log. Invalid values are ignored. */
export const readMailLogFilter = (search: Record<string, unknown>): MailLogFilter =>
  given<MailLogFilter>({
    view: oneOf(search.view, LOG_VIEWS),
    q: textOf(search.q),
    address: textOf(search.address),
    outcome: oneOf(search.outcome, MAIL_OUTCOMES),
    state: oneOf(search.state, SENT_MAIL_STATES),
    ticket: idOf(search.ticket),
  });

const common = ({ q, address, ticket }: MailLogFilter) => ({
  ...(q ? { q } : {}),
  ...(address ? { address } : {}),
  ...(ticket ? { ticket_id: ticket } : {}),
});

const keyOf = ({ q, address, ticket }: MailLogFilter) => [q ?? '', address ?? '', ticket ?? 0] as const;

/** Received mails that match a filter, newest first. */
export const receivedQuery = (filter: MailLogFilter) => {
  const outcome = (filter.view ?? 'suspended') === 'suspended' ? 'suspended' : filter.outcome;
  return pagesQuery(
    ['received_mails', 'list', outcome ?? 'all', ...keyOf(filter)],
    'received_mails.list',
    () => ({ ...common(filter), ...(outcome ? { outcome } : {}) }),
    // No event reports new mails.
    { staleTime: 0 },
  );
};

/** Mails of the team that match a filter, newest first. */
export const sentQuery = (filter: MailLogFilter) =>
  pagesQuery(
    ['sent_mails', 'list', filter.state ?? 'all', ...keyOf(filter)],
    'sent_mails.list',
    () => ({ ...common(filter), ...(filter.state ? { state: filter.state } : {}) }),
    { staleTime: 0 },
  );

export const blockedQuery = pagesQuery(['blocked_senders'], 'blocked_senders.list', () => ({}), {
  staleTime: 0,
});

export const receivedMailQuery = (id: number) =>
  callQuery(['received_mails', 'one', id], 'received_mails.list', { id });

export const sentMailQuery = (id: number) => callQuery(['sent_mails', 'one', id], 'sent_mails.list', { id });
