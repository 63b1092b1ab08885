import type { Queue, Session } from '@foyer/protocol';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { Inbox, MessagesSquare } from 'lucide-react';
import { useRef } from 'react';
import { useMe } from '../../desk/DeskContext.tsx';
import { useShortcuts } from '../../desk/shortcuts.ts';
import { countsQuery, sessionsQuery } from '../../queries.ts';
import { buttonLook } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Empty, ListBones } from '../../ui/States.tsx';
import { AlertsOffer } from './AlertsOffer.tsx';
import { ChatList } from './ChatList.tsx';

const route = getRouteApi('/desk/inbox');

const QUEUES: { queue: Queue; label: string }[] = [
  { queue: 'waiting', label: 'Waiting' },
  { queue: 'mine', label: 'Mine' },
  { queue: 'open', label: 'Open' },
  { queue: 'closed', label: 'Closed' },
];

const longestWaitFirst = (sessions: Session[]): Session[] =>
  sessions.toSorted((one, two) =>
    (one.waiting_since_utc ?? one.started_utc).localeCompare(two.waiting_since_utc ?? two.started_utc),
  );

/** The queues, and beside them the chat that is open. */
export function InboxScreen() {
  const { queue = 'waiting', q = '' } = route.useSearch();
  const { sessionId } = useParams({ strict: false });
  const navigate = useNavigate();
  const search = useRef<HTMLInputElement>(null);
  const list = useInfiniteQuery(sessionsQuery(queue, q));
  const loaded = list.data?.pages.flatMap((page) => page.items) ?? [];
  const sessions = queue === 'waiting' && !list.hasNextPage ? longestWaitFirst(loaded) : loaded;

  const step = (by: number): void => {
    const at = sessions.findIndex((one) => one.session_id === sessionId);
    const next = sessions[at === -1 ? 0 : at + by];
    if (next) void open(next);
  };
  const open = (session: Session): Promise<void> =>
    navigate({ to: '/inbox/$sessionId', params: { sessionId: session.session_id }, search: true });
  useShortcuts({ j: () => step(1), k: () => step(-1), '/': () => search.current?.focus() });

  return (
    <>
      <section
        aria-label="Inbox"
        className={cx(
          'flex min-h-0 w-full shrink-0 flex-col bg-surface md:w-72 md:border-e lg:w-80 xl:w-86',
          sessionId && 'max-md:hidden',
        )}
      >
        <div className="px-4 pt-4 pb-3">
          <h1 className="mb-3 font-semibold text-lg leading-7">Inbox</h1>
          <SearchField
            ref={search}
            label="Search in chats"
            shortcut="/"
            value={q}
            onChange={(next) =>
              void navigate({
                to: '.',
                search: ({ q: _, ...before }) => (next ? { ...before, q: next } : before),
                replace: true,
              })
            }
          />
        </div>
        <QueueTabs current={queue} />
        <AlertsOffer />
        {list.isPending ? (
          <ListBones rows={8} />
        ) : list.isError && !list.data ? (
          <div className="p-4">
            <ErrorNote
              error={list.error}
              title="The chats could not be loaded."
              onRetry={() => void list.refetch()}
            />
          </div>
        ) : sessions.length === 0 ? (
          <NoChats queue={queue} searched={q} />
        ) : (
          <ChatList
            sessions={sessions}
            place={`inbox ${queue} ${q}`}
            openId={sessionId}
            hasMore={list.hasNextPage}
            onMore={() => {
              if (!list.isFetchingNextPage) void list.fetchNextPage();
            }}
          />
        )}
      </section>
      <Outlet />
    </>
  );
}

function QueueTabs({ current }: { current: Queue }) {
  const counts = useQuery(countsQuery).data;
  const numbers: Partial<Record<Queue, number>> = counts ?? {};
  return (
    <nav aria-label="Queues" className="flex gap-4 border-b px-4">
      {QUEUES.map(({ queue, label }) => (
        <Link
          key={queue}
          to="/inbox"
          search={(before) => ({ ...before, queue })}
          aria-current={queue === current ? 'page' : undefined}
          className={cx(
            '-mb-px flex h-9 items-center gap-1.5 border-b-2 font-medium max-md:h-11',
            queue === current ? 'border-accent text-text' : 'border-transparent text-soft hover:text-text',
          )}
        >
          {label}
          {numbers[queue] ? (
            <span
              className={cx(
                'tabular text-xs',
                queue === 'waiting' ? 'font-semibold text-accent-text' : 'text-faint',
              )}
            >
              {numbers[queue]}
            </span>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}

const NOTHING: Record<Queue, { title: string; text: string }> = {
  waiting: {
    title: 'Nobody is waiting',
    text: 'A chat that the bot hands to a person shows here, with a sound.',
  },
  mine: { title: 'You have no chats', text: 'Chats that you join show here until they are closed.' },
  open: {
    title: 'No chat is open',
    text: 'Every chat that goes on, with the bot or with a person, shows here.',
  },
  closed: { title: 'No chat is closed yet', text: 'Chats that have ended stay here, with their ratings.' },
  all: {
    title: 'There are no chats yet',
    text: 'Put the widget on your site, and the first question shows here.',
  },
};

function NoChats({ queue, searched }: { queue: Queue; searched: string }) {
  const counts = useQuery(countsQuery).data;
  if (searched) {
    return (
      <Empty
        icon={<Inbox />}
        title="Nothing found"
        action={
          <Link to="/inbox" search={{ queue: 'all', q: searched }} className={buttonLook()}>
            Search in all chats
          </Link>
        }
      >
        No chat in this queue has “{searched}” in it.
      </Empty>
    );
  }
  const open = counts?.open ?? 0;
  const action =
    queue === 'open' || queue === 'closed' || open === 0 ? (
      <Link to="/settings/install" className={buttonLook()}>
        Put the chat on your site
      </Link>
    ) : queue === 'mine' && (counts?.waiting ?? 0) > 0 ? (
      <Link to="/inbox" search={{ queue: 'waiting' }} className={buttonLook('primary')}>
        See who is waiting
      </Link>
    ) : (
      <Link to="/inbox" search={{ queue: 'open' }} className={buttonLook()}>
        See the open chats
      </Link>
    );
  return (
    <Empty icon={<Inbox />} title={NOTHING[queue].title} action={action}>
      {NOTHING[queue].text}
    </Empty>
  );
}

/** Beside the list while no chat is open. */
export function NoChatOpen() {
  const { site } = useMe();
  return (
    <div className="min-w-0 flex-1 bg-sunken max-md:hidden">
      <Empty icon={<MessagesSquare />} title="No chat is open">
        Choose one from the list, or press j. Everything that visitors of {site.name} write shows by itself.
      </Empty>
    </div>
  );
}
