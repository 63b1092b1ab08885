import type {
  FoundItem,
  Note,
  Queue,
  Reply,
  Session,
  SessionDetail,
  StateQueue,
  Ticket,
  TicketSummary,
} from '@foyer/protocol';
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Page } from '../api.ts';
import { sessionQuery, ticketMentionsQuery, ticketQuery } from '../queries.ts';

type Pages<T> = InfiniteData<Page<T>, string>;
export type SessionPages = Pages<Session>;
type TicketPages = Pages<TicketSummary>;
type OfList = Exclude<keyof TicketSummary, keyof Ticket>;
/** Responses of actions lack what only lists show; frames have it. */
export type TicketNews = Omit<TicketSummary, OfList> & Partial<Pick<TicketSummary, OfList>>;

/** The list's fields of a row: the known ones, or placeholders until the frame arrives. */
const ofList = (
  known: TicketSummary | undefined,
  { updated_utc }: TicketNews,
): Pick<TicketSummary, OfList> => ({
  unread: known?.unread ?? false,
  assignee_picture_url: known?.assignee_picture_url ?? null,
  last_activity_utc: known?.last_activity_utc ?? updated_utc,
  unanswered_since_utc: known?.unanswered_since_utc ?? null,
  replied_utc: known?.replied_utc ?? null,
});

/** Whether a chat belongs to a queue according to the contract. */
export function belongs(queue: Queue, session: Session, myId: number): boolean {
  if (queue === 'spam' || session.spam !== null) return queue === 'spam' && session.spam !== null;
  if (queue === 'snoozed') return session.snoozed_until_utc !== null;
  if (session.snoozed_until_utc !== null) return false;
  switch (queue) {
    case 'waiting':
      return session.status === 'waiting';
    case 'mine':
      return session.status === 'active' && session.agent?.id === myId;
    case 'open':
      return session.status !== 'closed';
    case 'closed':
      return session.status === 'closed';
    case 'all':
      return true;
  }
}

/**
 * A list with changed items, without those that became undefined. Unaffected pages keep their identity, so nothing
 * is rendered again, however long the list.
 */
const withChanges = <T>(pages: Pages<T>, change: (item: T) => T | undefined): Pages<T> => ({
  ...pages,
  pages: pages.pages.map((page) => {
    const items = page.items.flatMap((item) => change(item) ?? []);
    const isSame = items.length === page.items.length && items.every((item, at) => item === page.items[at]);
    return isSame ? page : { ...page, items };
  }),
});

/**
 * A list with one record's new state: changed in place, removed if it no longer belongs there, otherwise added at
 * the top.
 */
function withItem<T>(
  pages: Pages<T>,
  item: (known?: T) => T,
  same: (one: T) => boolean,
  { isIn, mayAdd }: { isIn: boolean; mayAdd: boolean },
): Pages<T> {
  if (pages.pages.some((page) => page.items.some(same)))
    return withChanges(pages, (one) => (same(one) ? (isIn ? item(one) : undefined) : one));
  const [first, ...more] = pages.pages;
  if (!first || !isIn || !mayAdd) return pages;
  return { ...pages, pages: [{ ...first, items: [item(), ...first.items] }, ...more] };
}

/** The pages of a list with a session added, moved or removed; `isIn` says whether it belongs there. */
export const withSession = (
  pages: SessionPages,
  session: Session,
  isIn: boolean,
  mayAdd: boolean,
): SessionPages =>
  withItem(
    pages,
    () => session,
    (one) => one.session_id === session.session_id,
    { isIn, mayAdd },
  );

/** Updates search results. Only the server can decide what matches. */
function applyFound(client: QueryClient, change: (item: FoundItem) => FoundItem | undefined): void {
  for (const [key, pages] of client.getQueriesData<Pages<FoundItem>>({ queryKey: ['found'] }))
    if (pages) client.setQueryData(key, withChanges(pages, change));
}

/** Whether a list is filtered: then only the server decides what belongs to it. Its key ends with the filter. */
const isNarrowed = (key: QueryKey): boolean => Object.keys(key[3] ?? {}).some((field) => field !== 'sort');

/** Nothing changed that lists show: then something else of the chat did. */
const isSame = (known: Session, session: Session): boolean =>
  Object.entries(session).every(
    ([field, value]) => JSON.stringify(known[field as keyof Session]) === JSON.stringify(value),
  );

/** Applies one chat's new state to every list and page that shows it. */
export function applySession(client: QueryClient, session: Session, myId: number): void {
  const { queryKey } = sessionQuery(session.session_id);
  const known = client.getQueryData(queryKey);
  // The running request may have read it before routing found nobody for it.
  if (!known && session.status === 'waiting')
    void client
      .getQueryCache()
      .find({ queryKey })
      ?.promise?.then(() => client.invalidateQueries({ queryKey }))
      .catch(() => undefined);
  if (known) {
    client.setQueryData(queryKey, { ...known, ...session });
    // No list contains the rating's comment, what became of emails, or why routing gave it to somebody.
    if (
      known.rating !== session.rating ||
      known.unread_goes_to !== null ||
      known.agent?.id !== session.agent?.id ||
      isSame(known, session) ||
      // Other changes of a waiting chat may include that routing has found nobody for it.
      (session.status === 'waiting' && known.last_seq === session.last_seq)
    )
      void client.invalidateQueries({ queryKey });
  }
  for (const [key, pages] of client.getQueriesData<SessionPages>({ queryKey: ['sessions', 'list'] })) {
    if (!pages) continue;
    const isIn = belongs(key[2] as Queue, session, myId);
    client.setQueryData(key, withSession(pages, session, isIn, !isNarrowed(key)));
  }
  applyFound(client, (item) =>
    item.kind === 'chat' && item.session.session_id === session.session_id ? { ...item, session } : item,
  );
}

const isSolved = ({ status }: TicketNews): boolean => status === 'solved' || status === 'closed';

/** Whether a ticket belongs to a queue according to the contract. */
function ticketBelongs(queue: StateQueue | undefined, ticket: TicketNews, myId: number): boolean {
  if (queue === 'spam' || ticket.spam !== null) return queue === 'spam' && ticket.spam !== null;
  if (queue === undefined) return true;
  if (queue === 'snoozed') return ticket.snoozed_until_utc !== null;
  if (ticket.snoozed_until_utc !== null) return false;
  switch (queue) {
    case 'waiting':
      return ticket.status === 'new';
    case 'mine':
      return !isSolved(ticket) && ticket.assignee?.id === myId;
    case 'unassigned':
      return !isSolved(ticket) && ticket.assignee === null;
    case 'open':
      return !isSolved(ticket);
    case 'closed':
      return isSolved(ticket);
  }
}

/** Applies one ticket's new state to every list that shows it. Only the server evaluates filters. */
export function applyTicket(client: QueryClient, ticket: TicketNews, myId: number): void {
  const same = (one: TicketSummary): boolean => one.id === ticket.id;
  const told = (known?: TicketSummary): TicketSummary => ({
    ...ofList(known, ticket),
    ...ticket,
  });
  for (const [key, pages] of client.getQueriesData<TicketPages>({ queryKey: ['tickets', 'queue'] })) {
    const queue = key[2] as StateQueue | undefined;
    const isIn = ticketBelongs(queue, ticket, myId);
    if (pages) client.setQueryData(key, withItem(pages, told, same, { isIn, mayAdd: !isNarrowed(key) }));
  }
  for (const [key, pages] of client.getQueriesData<TicketPages>({ queryKey: ['tickets', 'list'] }))
    if (pages) client.setQueryData(key, withItem(pages, told, same, { isIn: true, mayAdd: false }));
  applyFound(client, (item) =>
    item.kind === 'ticket' && same(item.ticket) ? { ...item, ticket: told(item.ticket) } : item,
  );
  const { queryKey } = ticketQuery(ticket.id);
  const known = client.getQueryData(queryKey);
  if (known) client.setQueryData(queryKey, { ...known, ...ticket });
}

/** Removes a deleted ticket from every list. */
export function dropTicket(client: QueryClient, id: number): void {
  applyFound(client, (item) => (item.kind === 'ticket' && item.ticket.id === id ? undefined : item));
  for (const list of ['queue', 'list'])
    for (const [key, pages] of client.getQueriesData<TicketPages>({ queryKey: ['tickets', list] }))
      if (pages)
        client.setQueryData(
          key,
          withChanges(pages, (one) => (one.id === id ? undefined : one)),
        );
}

/** Adds a note to its chat, or replaces it: something in it was redacted. */
export function applyNote(client: QueryClient, sessionId: string, note: Note): void {
  client.setQueryData(sessionQuery(sessionId).queryKey, (old: SessionDetail | undefined) => {
    if (!old) return old;
    const isKnown = old.notes.some((one) => one.id === note.id);
    const notes = isKnown ? old.notes.map((one) => (one.id === note.id ? note : one)) : [...old.notes, note];
    return { ...old, notes };
  });
}

/** Adds a reply to its ticket, once. */
export function applyReply(client: QueryClient, reply: Reply): void {
  const { queryKey } = ticketQuery(reply.ticket_id);
  client.setQueryData(queryKey, (old) =>
    old && !old.replies.some(({ id }) => id === reply.id)
      ? { ...old, replies: [...old.replies, reply] }
      : old,
  );
  void client.invalidateQueries({ queryKey });
  void client.invalidateQueries({ queryKey: ticketMentionsQuery(reply.ticket_id).queryKey });
}
