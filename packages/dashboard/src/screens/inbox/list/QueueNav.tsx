import type { SavedView } from '@foyer/protocol';
import { INBOX_QUEUES } from '@foyer/protocol/values/inbox-queues';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../../../api.ts';
import { formatNumber } from '../../../language.ts';
import { countsQuery, viewsQuery } from '../../../queries.ts';
import { cx } from '../../../ui/classes.ts';
import { movedIn, useRowOrder } from '../../../ui/rows/RowOrder.tsx';
import { useReorder } from '../../../use-reorder.ts';
import { t } from '../filters/t.ts';
import { countOf, countWords, queueLabel } from './inbox-queues.ts';
import { isSearching, queueOf, readInboxSearch } from './inbox-search.ts';

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
  const current = isSearching(search) ? undefined : queueOf(search);
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
                // A search goes over everything, though the address keeps the queue to come back to.
                activeOptions={{ exact: true }}
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

function Views({ current, onGo }: { current: number | undefined; onGo?: () => void }) {
  const views = useQuery(viewsQuery).data?.items ?? [];
  const reorder = useReorder<SavedView>({
    queryKey: viewsQuery.queryKey,
    write: (place) => call('saved_views.update', place),
    failure: () => t('order_failed'),
  });
  const order = useRowOrder({
    count: views.length,
    off: reorder.isPending,
    onMove: (from, to) => reorder.mutate(movedIn(views, from, to)),
    words: (from, to) => t('view_moved', { name: views[from]?.name ?? '', to: to + 1, total: views.length }),
  });
  if (views.length === 0) return null;
  return (
    <section aria-label={t('views')} className="mt-3">
      <h2 className="px-2.5 py-1 text-faint text-xs">{t('views')}</h2>
      {order.status}
      <ul>
        {views.map((view, at) => (
          <li key={view.id} {...order.rowProps(at)} className={cx('rounded-lg', order.lookOf(at))}>
            <Link
              to="/inbox"
              search={{ view: view.id }}
              draggable={false}
              title={t('view_move')}
              {...(onGo ? { onClick: onGo } : {})}
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
