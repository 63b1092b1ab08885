import type { FoundWords } from '@foyer/protocol';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { callPage } from '../api.ts';
import { useMe } from '../desk/DeskContext.tsx';
import { sessionQuery, ticketQuery } from '../queries.ts';
import { placeOfFound } from '../screens/inbox/list/inbox-list.ts';
import { useNow } from '../ui/Time.tsx';
import { snippetOf, stateSentence, visitorName } from '../words.ts';
import { openedLately } from './recent.ts';

export type FoundKind = 'chat' | 'ticket' | 'visitor' | 'article';

/** A record that the palette opens. */
export interface Found {
  key: string;
  kind: FoundKind;
  name: string;
  /** Distinguishes it from similar ones. */
  detail: string;
  hint: string;
  run: () => void;
}

const FOUND_OF_A_KIND = 5;
/** Results for half a word are useless, so searching waits this long. */
const TYPED_FOR_MS = 120;

/** The text, once typing pauses. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPED_FOR_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

type ShownSession = Parameters<typeof stateSentence>[0];

interface ShownTicket {
  id: number;
  subject: string;
  requester: Parameters<typeof visitorName>[0];
}

function useLinks() {
  const navigate = useNavigate();
  const { agent } = useMe();
  const now = useNow();
  return {
    chat: (session: ShownSession, found?: FoundWords | null): Found => ({
      key: session.session_id,
      kind: 'chat',
      name: visitorName(session.visitor),
      detail: found ? textOf(found) : snippetOf(session, agent.id),
      hint: stateSentence(session, now, agent.id),
      run: () =>
        void navigate({
          to: '/inbox/$sessionId',
          params: { sessionId: session.session_id },
          search: { queue: session.status === 'closed' ? 'closed' : 'open' },
          hash: placeOfFound(found),
        }),
    }),
    ticket: ({ id, subject, requester }: ShownTicket, found?: FoundWords | null): Found => ({
      key: `ticket ${id}`,
      kind: 'ticket',
      name: subject,
      detail: found && found.in !== 'subject' ? textOf(found) : visitorName(requester),
      hint: `#${id}`,
      run: () =>
        void navigate({
          to: '/inbox/tickets/$ticketId',
          params: { ticketId: String(id) },
          hash: placeOfFound(found),
        }),
    }),
    visitor: (visitor: Parameters<typeof visitorName>[0] & { key: string }): Found => ({
      key: `visitor ${visitor.key}`,
      kind: 'visitor',
      name: visitorName(visitor),
      detail: visitor.name ? (visitor.email ?? '') : '',
      hint: '',
      run: () => void navigate({ to: '/visitors/$key', params: { key: visitor.key } }),
    }),
    article: ({ id, title, category }: { id: number; title: string; category: string | null }): Found => ({
      key: `article ${id}`,
      kind: 'article',
      name: title,
      detail: category ?? '',
      hint: '',
      run: () => void navigate({ to: '/knowledge/$articleId', params: { articleId: String(id) } }),
    }),
  };
}

const textOf = ({ excerpt }: FoundWords): string => excerpt.map(({ text }) => text).join('');

const numberIn = (q: string): number => Number(/^#?(\d{1,15})$/.exec(q)?.[1] ?? 0);

/** Chats, tickets, visitors and articles that match; a number finds its ticket. */
export function useFound(search: string): { found: Found[]; isPending: boolean; error: Error | null } {
  const q = usePaused(search.trim());
  const links = useLinks();
  const wanted = { q, limit: FOUND_OF_A_KIND };
  const on = { enabled: q !== '', placeholderData: keepPreviousData } as const;
  const number = numberIn(q);
  const numbered = useQuery({ ...ticketQuery(number), enabled: number > 0, retry: false });
  const said = useQuery({
    queryKey: ['palette', 'found', q],
    queryFn: ({ signal }) => callPage('inbox.search', { q, limit: 2 * FOUND_OF_A_KIND }, signal),
    ...on,
  });
  const visitors = useQuery({
    queryKey: ['visitors', 'found', q],
    queryFn: ({ signal }) => callPage('visitors.find', wanted, signal),
    ...on,
  });
  const articles = useQuery({
    queryKey: ['articles', 'found', q],
    queryFn: ({ signal }) => callPage('articles.list', wanted, signal),
    ...on,
  });
  if (search.trim() === '') return { found: [], isPending: false, error: null };
  const lists = [said, visitors, articles];
  return {
    found: [
      ...(number > 0 && numbered.data ? [links.ticket(numbered.data)] : []),
      ...(said.data?.items ?? []).flatMap((item) => {
        if (item.kind === 'chat') return links.chat(item.session, item.found);
        return item.ticket.id === number ? [] : links.ticket(item.ticket, item.found);
      }),
      ...(visitors.data?.items ?? []).map(links.visitor),
      ...(articles.data?.items ?? []).map(links.article),
    ],
    isPending: q !== search.trim() || lists.some((list) => list.isPending || list.isPlaceholderData),
    error: lists.find(({ error }) => error)?.error ?? null,
  };
}

/** Recently opened conversations, latest first, without the current one and deleted ones. */
export function useOpenedLately(): Found[] {
  const { agent } = useMe();
  const { sessionId, ticketId } = useParams({ strict: false });
  const [opened] = useState(() =>
    openedLately(agent.id).filter(({ id }) => id !== sessionId && String(id) !== ticketId),
  );
  const links = useLinks();
  const chats = useQueries({
    queries: opened.flatMap((one) =>
      one.kind === 'chat' ? [{ ...sessionQuery(one.id), retry: false }] : [],
    ),
  });
  const tickets = useQueries({
    queries: opened.flatMap((one) =>
      one.kind === 'ticket' ? [{ ...ticketQuery(one.id), retry: false }] : [],
    ),
  });
  return opened.flatMap((one): Found[] => {
    if (one.kind === 'chat') {
      const session = chats.find(({ data }) => data?.session_id === one.id)?.data;
      return session ? [links.chat(session)] : [];
    }
    const ticket = tickets.find(({ data }) => data?.id === one.id)?.data;
    return ticket ? [links.ticket(ticket)] : [];
  });
}
