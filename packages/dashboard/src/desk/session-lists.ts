import type { Note, Queue, Session, SessionDetail } from '@foyer/protocol';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Page } from '../api.ts';
import { sessionQuery } from '../queries.ts';

export type SessionPages = InfiniteData<Page<Session>, string>;

/** Whether a chat is in a queue, by the words of the contract. */
export function belongs(queue: Queue, session: Session, myId: number): boolean {
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

/** A list with one chat's news: changed where it stands, taken out where it no longer belongs, else put first. */
export function withSession(
  pages: SessionPages,
  session: Session,
  isIn: boolean,
  mayAdd: boolean,
): SessionPages {
  const same = (one: Session): boolean => one.session_id === session.session_id;
  const known = pages.pages.some((page) => page.items.some(same));
  if (!known && !(isIn && mayAdd)) return pages;
  return {
    ...pages,
    pages: pages.pages.map((page, at) => {
      if (!known) return at === 0 ? { ...page, items: [session, ...page.items] } : page;
      const items = isIn
        ? page.items.map((one) => (same(one) ? session : one))
        : page.items.filter((one) => !same(one));
      return { ...page, items };
    }),
  };
}

/** Brings one chat's news into every list and page that shows it. */
export function applySession(client: QueryClient, session: Session, myId: number): void {
  const { queryKey } = sessionQuery(session.session_id);
  const known = client.getQueryData(queryKey);
  if (known) {
    client.setQueryData(queryKey, { ...known, ...session });
    // The rating's comment is in no list.
    if (known.rating !== session.rating) void client.invalidateQueries({ queryKey });
  }
  for (const [key, pages] of client.getQueriesData<SessionPages>({ queryKey: ['sessions', 'list'] })) {
    if (!pages) continue;
    const queue = key[2] as Queue;
    const searching = key[3] !== '';
    client.setQueryData(key, withSession(pages, session, belongs(queue, session, myId), !searching));
  }
}

/** Puts a note beside its chat, once. */
export function applyNote(client: QueryClient, sessionId: string, note: Note): void {
  client.setQueryData(sessionQuery(sessionId).queryKey, (old: SessionDetail | undefined) =>
    old && !old.notes.some((one) => one.id === note.id) ? { ...old, notes: [...old.notes, note] } : old,
  );
}
