import { useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { useCommands } from '../../../commands/commands.ts';
import { useDesk, useMe } from '../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../lazy-part.ts';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { ListBones } from '../../../ui/States.tsx';
import { whenIdle } from '../../../ui/when-idle.ts';
import { selectedIn } from '../bulk/selection.ts';
import { useSelection } from '../bulk/use-selection.ts';
import { t } from '../t.ts';
import { useFetchAhead } from './fetch-ahead.ts';
import { InboxRows } from './InboxRows.tsx';
import { type InboxItem, placeOfFound } from './inbox-list.ts';
import type { InboxSearch } from './inbox-search.ts';
import { useInbox } from './use-inbox.ts';
import { nextUnread, placeToGo, type Stood } from './walk.ts';

const NothingHere = lazyPart(() => import('./empty/NothingHere.tsx'), 'NothingHere');
const loadBulkBar = () => import('../bulk/BulkBar.tsx');
const BulkBar = lazyPart(loadBulkBar, 'BulkBar');

/** Loads the bar early: keys that follow the first selection are its commands. */
function useBulkBarAhead(): void {
  const desk = useDesk();
  useEffect(() => {
    let stopListening: (() => void) | undefined;
    // Only online: browsers never retry a failed import.
    const loadOnline = (): void => {
      if (desk.live.state !== 'online') return;
      stopListening?.();
      loadBulkBar().catch(() => undefined);
    };
    const cancel = whenIdle(() => {
      stopListening = desk.onState(loadOnline);
      loadOnline();
    });
    return () => {
      cancel();
      stopListening?.();
    };
  }, [desk]);
}

/** Opens a chat or ticket, keeping the list. Its data is requested before its page is rendered. */
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

/** The commands for the next, previous and next unread row. */
function useWalk(
  items: readonly InboxItem[],
  openKey: string | undefined,
  open: (item: InboxItem) => Promise<void>,
): void {
  const fetchAhead = useFetchAhead();
  const stood = useRef<Stood>({ key: undefined, at: 0 });
  useEffect(() => {
    const at = items.findIndex(({ key }) => key === openKey);
    if (at !== -1) stood.current = { key: openKey, at };
  }, [items, openKey]);
  const goTo = (at: number, by: 1 | -1): void => {
    const next = items[at];
    // An agent who moves on will continue: the following one is loaded once this one is shown.
    if (next) void open(next).then(() => fetchAhead.rested(items[at + by]));
  };
  const unread = nextUnread(items, openKey);
  useCommands({
    next: () => goTo(placeToGo(items, openKey, stood.current, 1), 1),
    before: () => goTo(placeToGo(items, openKey, stood.current, -1), -1),
    next_unread: unread === -1 ? undefined : () => goTo(unread, 1),
  });
}

interface InboxListProps {
  search: InboxSearch;
  openKey: string | undefined;
  /** It is a view of the inbox, unchanged. */
  isWholeView: boolean;
}

/** The rows and their navigation. Renders with each loaded page, so the list's header isn't part of it. */
export function InboxList({ search, openKey, isWholeView }: InboxListProps) {
  const open = useOpen();
  const { agent } = useMe();
  const list = useInbox(search);
  const { items } = list;
  const place = `inbox ${JSON.stringify(search)}`;
  const selecting = useSelection(place, items, openKey);
  const { selection, select } = selecting;
  useWalk(items, openKey, open);
  useBulkBarAhead();
  if (list.error)
    return (
      <div className="p-4">
        <ErrorNote error={list.error} title={t('list_not_loaded')} onRetry={list.retry} />
      </div>
    );
  if (list.isPending) return <ListBones rows={8} />;
  if (items.length === 0)
    return (
      <Suspense>
        <NothingHere search={search} isWholeView={isWholeView} />
      </Suspense>
    );
  return (
    <>
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
      <InboxRows
        items={items}
        place={place}
        selecting={selecting}
        openKey={openKey}
        myId={agent.id}
        hasMore={list.hasMore}
        onMore={list.loadMore}
        onOpen={(item) => void open(item)}
      />
    </>
  );
}
