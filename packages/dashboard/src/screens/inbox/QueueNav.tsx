import type { SavedView } from '@foyer/protocol';
import { INBOX_QUEUES } from '@foyer/protocol/inbox-queues';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type DragEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { call } from '../../api.ts';
import { formatNumber } from '../../language.ts';
import { countsQuery, viewsQuery } from '../../queries.ts';
import { cx } from '../../ui/classes.ts';
import { complain } from '../../ui/toast-store.ts';
import { countOf, countWords, queueLabel } from './inbox-queues.ts';
import { isSearching, readInboxSearch } from './inbox-search.ts';
import { t } from './t.ts';

const LINE =
  '-outline-offset-2 flex h-8 items-center gap-2 rounded-lg px-2.5 text-soft hover:bg-pressed hover:text-text max-md:h-11 aria-[current=page]:bg-pressed aria-[current=page]:font-medium aria-[current=page]:text-text';

const Count = ({ children }: { children: ReactNode }) => (
  <span className="tabular shrink-0 text-faint text-xs">{children}</span>
);

/** The queues and the team's views, each with what is in it now. */
export function QueueNav({ onGo }: { onGo?: () => void }) {
  const counts = useQuery(countsQuery).data;
  // Not bound to the inbox: while one leaves it this still stands.
  const search = readInboxSearch(useSearch({ strict: false }));
  const current = isSearching(search) ? undefined : (search.queue ?? 'waiting');
  return (
    <nav aria-label={t('queues')}>
      <ul>
        {INBOX_QUEUES.map((queue) => {
          const count = countOf(counts, queue);
          return (
            <li key={queue}>
              <Link
                to="/inbox"
                search={{ queue }}
                {...(onGo ? { onClick: onGo } : {})}
                aria-current={queue === current ? 'page' : undefined}
                className={LINE}
              >
                <span className="flex-1 truncate">{queueLabel(queue)}</span>
                {count > 0 ? <Count>{countWords(count)}</Count> : null}
              </Link>
            </li>
          );
        })}
      </ul>
      <Views current={search.view} {...(onGo ? { onGo } : {})} />
    </nav>
  );
}

/** Puts the views into another order, on the screen at once. */
function useReorder() {
  const client = useQueryClient();
  const { queryKey } = viewsQuery;
  return useMutation({
    mutationFn: async (views: SavedView[]) => {
      for (const [position, view] of views.entries())
        if (view.position !== position) await call('saved_views.update', { id: view.id, position });
    },
    onMutate: (views) => client.setQueryData(queryKey, (page) => (page ? { ...page, items: views } : page)),
    onError: (error) => complain(t('order_failed'), error),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

const moved = (views: SavedView[], from: number, to: number): SavedView[] => {
  const view = views[from];
  if (!view || to < 0 || to >= views.length || from === to) return views;
  return views.toSpliced(from, 1).toSpliced(to, 0, view);
};

function Views({ current, onGo }: { current: number | undefined; onGo?: () => void }) {
  const views = useQuery(viewsQuery).data?.items ?? [];
  const reorder = useReorder();
  const [dragged, setDragged] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  if (views.length === 0) return null;

  const move = (from: number, to: number): void => {
    const next = moved(views, from, to);
    if (next === views || reorder.isPending) return;
    reorder.mutate(next);
    setSaid(t('view_moved', { name: views[from]?.name ?? '', to: to + 1, total: views.length }));
  };
  const press = (event: KeyboardEvent, at: number): void => {
    if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    move(at, event.key === 'ArrowUp' ? at - 1 : at + 1);
  };
  const drop = (event: DragEvent, at: number): void => {
    event.preventDefault();
    if (dragged !== null) move(dragged, at);
    setDragged(null);
  };
  return (
    <section aria-label={t('views')} className="mt-3">
      <h2 className="px-2.5 py-1 text-faint text-xs">{t('views')}</h2>
      <p role="status" className="sr-only">
        {said}
      </p>
      <ul>
        {views.map((view, at) => (
          <li
            key={view.id}
            draggable
            onDragStart={() => setDragged(at)}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={(event) => drop(event, at)}
            onDragEnd={() => setDragged(null)}
            className={cx(dragged === at && 'opacity-50')}
          >
            <Link
              to="/inbox"
              search={{ view: view.id }}
              draggable={false}
              title={t('view_move')}
              {...(onGo ? { onClick: onGo } : {})}
              onKeyDown={(event) => press(event, at)}
              aria-current={view.id === current ? 'page' : undefined}
              className={LINE}
            >
              <span className="flex-1 truncate">
                <bdi>{view.name}</bdi>
              </span>
              <Count>{view.count >= 10_000 ? `${formatNumber(10_000)}+` : formatNumber(view.count)}</Count>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
