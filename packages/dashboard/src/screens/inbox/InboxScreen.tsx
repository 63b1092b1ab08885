import type { InboxQueue } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { Inbox, MessagesSquare, SquarePen } from 'lucide-react';
import { Suspense, useEffect, useRef } from 'react';
import { COMMANDS, handlerOf, useCommands } from '../../commands/commands.ts';
import { rememberOpened } from '../../commands/recent.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { part } from '../../part.ts';
import { countsQuery, viewsQuery } from '../../queries.ts';
import { buttonLook, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Empty, ListBones } from '../../ui/States.tsx';
import { firstStepsQuery } from '../first-steps/first-steps.ts';
import { useFetchAhead } from './fetch-ahead.ts';
import { InboxRows } from './InboxRows.tsx';
import { type InboxItem, placeOfFound } from './inbox-list.ts';
import { nothingIn, queueLabel } from './inbox-queues.ts';
import { filterCount, type InboxSearch, isSearching, readInboxSearch } from './inbox-search.ts';
import { BulkNews } from './many/BulkNews.tsx';
import { selectedIn } from './many/selection.ts';
import { useSelection } from './many/use-selection.ts';
import { t } from './t.ts';
import { useInbox } from './use-inbox.ts';
import { nextUnread, placeToGo, type Stood } from './walk.ts';

const route = getRouteApi('/desk/inbox');

/** What opens over the list is loaded once the list stands. */
const QueueMenu = part(() => import('./QueueMenu.tsx'), 'QueueMenu');
const FilterMenu = part(() => import('./FilterMenu.tsx'), 'FilterMenu');
const Bell = part(() => import('../notifications/Bell.tsx'), 'Bell');

const PushOffer = part(() => import('../notifications/PushOffer.tsx'), 'PushOffer');

const FirstStepsLink = part(() => import('../first-steps/FirstStepsLink.tsx'), 'FirstStepsLink');
const BulkBar = part(() => import('./many/BulkBar.tsx'), 'BulkBar');
const ViewActions = part(() => import('./ViewActions.tsx'), 'ViewActions');

/** Goes to a chat or a ticket, with the list as it is. What it shows is on its way before its page is drawn. */
function useOpen(): (item: InboxItem) => Promise<void> {
  const navigate = useNavigate();
  const fetchAhead = useFetchAhead();
  return (item) => {
    fetchAhead.now(item);
    return item.kind === 'chat'
      ? navigate({
          to: '/inbox/$sessionId',
          params: { sessionId: item.session.session_id },
          search: true,
          hash: placeOfFound(item.found),
        })
      : navigate({
          to: '/inbox/tickets/$ticketId',
          params: { ticketId: String(item.ticket.id) },
          search: true,
          hash: placeOfFound(item.found),
        });
  };
}

/** The queues, and beside them the chat or ticket that is open. */
export function InboxScreen() {
  const search = route.useSearch();
  const { sessionId, ticketId } = useParams({ strict: false });
  const openKey = sessionId ?? (ticketId ? `ticket ${ticketId}` : undefined);
  const navigate = useNavigate();
  const open = useOpen();
  const fetchAhead = useFetchAhead();
  const field = useRef<HTMLInputElement>(null);
  const list = useInbox(search);
  const { items } = list;
  const { agent } = useMe();
  const place = `inbox ${JSON.stringify(search)}`;
  const selecting = useSelection(place, items, openKey);
  const { selection, select } = selecting;
  const view = useQuery(viewsQuery).data?.items.find(({ id }) => id === search.view);

  const stood = useRef<Stood>({ key: undefined, at: 0 });
  useEffect(() => {
    const at = items.findIndex(({ key }) => key === openKey);
    if (at !== -1) stood.current = { key: openKey, at };
  }, [items, openKey]);
  const goTo = (at: number, by: 1 | -1): void => {
    const next = items[at];
    // Who walks goes on: the one behind is fetched once this one stands.
    if (next) void open(next).then(() => fetchAhead.rested(items[at + by]));
  };
  const unread = nextUnread(items, openKey);
  useCommands({
    next: () => goTo(placeToGo(items, openKey, stood.current, 1), 1),
    before: () => goTo(placeToGo(items, openKey, stood.current, -1), -1),
    next_unread: unread === -1 ? undefined : () => goTo(unread, 1),
    search: () => field.current?.focus(),
  });
  useEffect(() => {
    if (sessionId) rememberOpened(agent.id, { kind: 'chat', id: sessionId });
    if (ticketId) rememberOpened(agent.id, { kind: 'ticket', id: Number(ticketId) });
  }, [sessionId, ticketId, agent.id]);
  const title = titleOf(search, view?.name);

  return (
    <>
      <section
        aria-label={t('inbox')}
        className={cx(
          'pane painted-apart flex min-h-0 w-full shrink-0 flex-col bg-surface md:w-72 md:border-e lg:w-80 xl:w-86',
          openKey && 'max-md:hidden',
        )}
      >
        <div className="border-b px-4 pt-3 pb-3">
          <div className="mb-2 flex h-9 items-center gap-2">
            <h1 className="flex min-w-0 flex-1 font-semibold text-lg leading-7">
              <span className="sr-only">{t('inbox_of')} </span>
              <span className="truncate max-xl:hidden">
                <bdi>{title}</bdi>
              </span>
              <span className="min-w-0 xl:hidden">
                <Suspense fallback={title}>
                  <QueueMenu title={title} />
                </Suspense>
              </span>
            </h1>
            <Suspense>
              <ViewActions search={search} view={view} />
            </Suspense>
            <IconButton
              label={t('new_ticket')}
              shortcut={COMMANDS.new_ticket.keys}
              className="-me-2"
              onClick={() => handlerOf('new_ticket')?.run?.()}
            >
              <SquarePen aria-hidden className="size-4" />
            </IconButton>
            <span className="md:hidden">
              <Suspense>
                <Bell />
              </Suspense>
            </span>
          </div>
          <div className="flex gap-2">
            <SearchField
              ref={field}
              label={t('search_all')}
              shortcut="/"
              value={search.q ?? ''}
              onChange={(next) =>
                void navigate({
                  to: '.',
                  search: readInboxSearch({ ...search, q: next }),
                  replace: true,
                })
              }
            />
            <Suspense fallback={<span className="w-9" />}>
              <FilterMenu search={search} />
            </Suspense>
          </div>
        </div>
        <Suspense>
          <PushOffer />
        </Suspense>
        <Suspense>
          <FirstStepsLink className="mx-2 my-1 max-md:h-11 md:hidden" />
        </Suspense>
        <BulkNews />
        {selectedIn(selection, items).length > 0 ? (
          <Suspense>
            <BulkBar
              search={search}
              items={items}
              hasMore={list.hasMore}
              selection={selection}
              onSelect={select}
            />
          </Suspense>
        ) : null}
        {list.error ? (
          <div className="p-4">
            <ErrorNote error={list.error} title={t('list_not_loaded')} onRetry={list.retry} />
          </div>
        ) : list.isPending ? (
          <ListBones rows={8} />
        ) : items.length === 0 ? (
          <NothingHere search={search} />
        ) : (
          <InboxRows
            items={items}
            place={place}
            selecting={selecting}
            openKey={openKey}
            hasMore={list.hasMore}
            onMore={list.loadMore}
            onOpen={(item) => void open(item)}
          />
        )}
      </section>
      <Outlet />
    </>
  );
}

function titleOf(search: InboxSearch, view: string | undefined): string {
  if (search.view !== undefined) return view ?? t('view');
  return isSearching(search) ? t('search') : queueLabel(search.queue ?? 'waiting');
}

/** As the server takes them (inbox/phrases.ts). */
const QUOTED = /["“”„«»]/;

function NothingHere({ search }: { search: InboxSearch }) {
  if (search.q)
    return (
      <Empty icon={<Inbox />} title={t('nothing_found')}>
        {t(filterCount(search) > 0 ? 'none_found_filtered' : 'none_found', { q: search.q })}
        {QUOTED.test(search.q) && <span className="block">{t('none_found_quoted')}</span>}
      </Empty>
    );
  if (isSearching(search))
    return (
      <Empty icon={<Inbox />} title={t('no_tickets')}>
        {t('no_tickets_hint')}
      </Empty>
    );
  return <EmptyQueue queue={search.queue ?? 'waiting'} />;
}

/** What there is to do while nobody writes. */
function NextStep() {
  const first = useQuery(firstStepsQuery).data;
  if (!first) return null;
  return first.snippet ? (
    <Link to="/visitors/here" className={buttonLook()}>
      {t('see_here')}
    </Link>
  ) : (
    <Link to="/settings/install" className={buttonLook()}>
      {t('install')}
    </Link>
  );
}

function EmptyQueue({ queue }: { queue: InboxQueue }) {
  const counts = useQuery(countsQuery).data;
  const open = counts?.open ?? 0;
  const nothing = nothingIn(queue);
  const action =
    queue === 'open' || queue === 'closed' || open === 0 ? (
      <NextStep />
    ) : queue === 'mine' && (counts?.waiting ?? 0) > 0 ? (
      <Link to="/inbox" search={{ queue: 'waiting' }} className={buttonLook('primary')}>
        {t('see_waiting')}
      </Link>
    ) : (
      <Link to="/inbox" search={{ queue: 'open' }} className={buttonLook()}>
        {t('see_open')}
      </Link>
    );
  return (
    <Empty icon={<Inbox />} title={nothing.title} action={action}>
      {nothing.text}
    </Empty>
  );
}

/** Beside the list while nothing is open. */
export function NoChatOpen() {
  const { site } = useMe();
  return (
    <div className="min-w-0 flex-1 bg-sunken max-md:hidden">
      <Empty icon={<MessagesSquare />} title={t('nothing_open')}>
        {t('nothing_open_hint', { name: site.name })}
      </Empty>
    </div>
  );
}
