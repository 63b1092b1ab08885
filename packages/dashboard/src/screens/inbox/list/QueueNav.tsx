import { SUSPENDED_COUNTED_MAX } from '@foyer/protocol/values/bounds';
import { INBOX_QUEUES } from '@foyer/protocol/values/inbox-queues';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Lock, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMay } from '../../../desk/DeskContext.tsx';
import { countsQuery, suspendedQuery, viewsQuery } from '../../../queries.ts';
import { cx } from '../../../ui/classes.ts';
import { useRowOrder } from '../../../ui/rows/RowOrder.tsx';
import { VisibilityMark } from '../../visibility/VisibilityMark.tsx';
import { t } from '../filters/t.ts';
import { missingWords } from '../views/missing-words.ts';
import { useViewMoves, viewsIn } from '../views/use-view-order.ts';
import { countOf, countWords, queueLabel } from './inbox-queues.ts';
import { type InboxSearch, isSearching, queueOf, readInboxSearch } from './inbox-search.ts';

const LINE =
  '-outline-offset-2 flex h-8 items-center gap-2 rounded-lg px-2.5 text-soft hover:bg-pressed hover:text-text max-md:h-11 aria-[current=page]:bg-pressed aria-[current=page]:font-medium aria-[current=page]:text-text';

/** Searches and views replace the queue, though the address keeps it. */
const EXACT = { exact: true };

const Count = ({ children }: { children: ReactNode }) => (
  <span className="tabular shrink-0 text-faint text-xs">{children}</span>
);

/** The queues, shared views and private views, each with its count. */
export function QueueNav({ onGo }: { onGo?: () => void }) {
  const counts = useQuery(countsQuery).data;
  // Not bound to the inbox's route: it is still shown while leaving it.
  const search = readInboxSearch(useSearch({ strict: false }));
  const view = search.view ?? search.base;
  const current =
    isSearching(search) || view !== undefined || search.team !== undefined ? undefined : queueOf(search);
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
                activeOptions={EXACT}
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
        <Suspended {...(onGo ? { onGo } : {})} />
      </ul>
      <OwnTeams search={search} {...(onGo ? { onGo } : {})} />
      {[false, true].map((isPrivate) => (
        <Views
          key={String(isPrivate)}
          title={t(isPrivate ? 'views_own' : 'views_shared')}
          isPrivate={isPrivate}
          current={view}
          {...(onGo ? { onGo } : {})}
        />
      ))}
    </nav>
  );
}

/** Emails that wait for a decision, if there are any. */
function Suspended({ onGo }: { onGo?: () => void }) {
  const waiting = useQuery(suspendedQuery).data?.suspended ?? 0;
  if (waiting === 0) return null;
  return (
    <li>
      <Link
        to="/settings/mail-log"
        search={{ view: 'suspended' }}
        {...(onGo ? { onClick: onGo } : {})}
        className={LINE}
      >
        <span className="flex-1 truncate">{t('suspended')}</span>
        <Count>{waiting < SUSPENDED_COUNTED_MAX ? waiting : `${SUSPENDED_COUNTED_MAX}+`}</Count>
      </Link>
    </li>
  );
}

/** The agent's teams, each with its open chats and tickets. */
function OwnTeams({ search, onGo }: { search: InboxSearch; onGo?: () => void }) {
  const teams = useQuery(countsQuery).data?.teams ?? [];
  if (teams.length === 0) return null;
  return (
    <section aria-label={t('teams_own')} className="mt-3">
      <h2 className="px-2.5 py-1 text-faint text-xs">{t('teams_own')}</h2>
      <ul>
        {teams.map(({ id, name, emoji, open }) => (
          <li key={id}>
            <Link
              to="/inbox"
              search={{ queue: 'open', team: id }}
              activeOptions={EXACT}
              {...(onGo ? { onClick: onGo } : {})}
              aria-current={search.team === id && !isSearching(search) ? 'page' : undefined}
              className={LINE}
            >
              {emoji ? <span aria-hidden>{emoji}</span> : null}
              <span className="flex-1 truncate">
                <bdi>{name}</bdi>
              </span>
              {open > 0 ? <Count>{countWords(open)}</Count> : null}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ViewsProps {
  title: string;
  isPrivate: boolean;
  current: number | undefined;
  onGo?: () => void;
}

/** The shared views, or the private ones. */
function Views({ title, isPrivate, current, onGo }: ViewsProps) {
  const views = viewsIn(useQuery(viewsQuery).data?.items ?? [], isPrivate);
  const { isPending, move } = useViewMoves(views);
  const mayShare = useMay('shared');
  const mayMove = isPrivate || mayShare;
  const order = useRowOrder({
    count: views.length,
    off: isPending || !mayMove,
    onMove: move,
    words: (from, to) => t('view_moved', { name: views[from]?.name ?? '', to: to + 1, total: views.length }),
  });
  if (views.length === 0) return null;
  return (
    <section aria-label={title} className="mt-3">
      <h2 className="flex items-center gap-1.5 px-2.5 py-1 text-faint text-xs">
        {isPrivate ? <Lock aria-hidden className="size-3" /> : null}
        {title}
      </h2>
      {order.status}
      <ul>
        {views.map((view, at) => (
          <li key={view.id} {...order.rowProps(at)} className={cx('rounded-lg', order.lookOf(at))}>
            <Link
              to="/inbox"
              search={{ view: view.id }}
              activeOptions={EXACT}
              draggable={false}
              {...(mayMove ? { title: t('view_move') } : {})}
              {...(onGo ? { onClick: onGo } : {})}
              aria-current={view.id === current ? 'page' : undefined}
              className={LINE}
            >
              <span className="flex-1 truncate">
                <bdi>{view.name}</bdi>
              </span>
              {isPrivate ? null : <VisibilityMark seen={view} />}
              {view.missing.length > 0 ? (
                <TriangleAlert
                  role="img"
                  aria-label={missingWords(view).join(' ')}
                  className="size-3.5 shrink-0 text-soft"
                />
              ) : null}
              {view.count === null ? null : <Count>{countWords(view.count)}</Count>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
