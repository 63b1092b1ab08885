import { getRouteApi, Outlet, useParams } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { rememberOpened } from '../../commands/recent.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { lazyPart } from '../../lazy-part.ts';
import { cx } from '../../ui/classes.ts';
import { Empty, ListBones } from '../../ui/States.tsx';
import { InboxHead } from './list/InboxHead.tsx';
import { InboxList } from './list/InboxList.tsx';
import { useShownSearch } from './list/shown-search.ts';
import { t } from './t.ts';

const route = getRouteApi('/desk/inbox');

/** What may appear over the list is loaded after the list. */
const BulkNews = lazyPart(() => import('./bulk/BulkNews.tsx'), 'BulkNews');
const NoView = lazyPart(() => import('./list/empty/NoView.tsx'), 'NoView');
const SuspendedLine = lazyPart(() => import('./spam/SuspendedLine.tsx'), 'SuspendedLine');
const PushOffer = lazyPart(() => import('../notifications/PushOffer.tsx'), 'PushOffer');
const FirstStepsLink = lazyPart(() => import('../first-steps/FirstStepsLink.tsx'), 'FirstStepsLink');

/** The queues and the list, with the open chat or ticket beside them. */
export function InboxScreen() {
  const address = route.useSearch();
  const { search, view, missing, retry } = useShownSearch(address);
  const isWholeView = address.view !== undefined && view?.list != null;
  const { sessionId, ticketId } = useParams({ strict: false });
  const openKey = sessionId ?? (ticketId ? `ticket ${ticketId}` : undefined);
  const { agent } = useMe();
  useEffect(() => {
    if (sessionId) rememberOpened(agent.id, { kind: 'chat', id: sessionId });
    if (ticketId) rememberOpened(agent.id, { kind: 'ticket', id: Number(ticketId) });
  }, [sessionId, ticketId, agent.id]);
  return (
    <>
      <section
        aria-label={t('inbox')}
        className={cx(
          'pane painted-apart flex min-h-0 w-full shrink-0 flex-col bg-surface md:w-72 md:border-e lg:w-80 xl:w-86',
          openKey && 'max-md:hidden',
        )}
      >
        <InboxHead search={search} view={view} />
        <Suspense>
          <PushOffer />
        </Suspense>
        <Suspense>
          <FirstStepsLink className="mx-2 my-1 max-md:h-11 md:hidden" />
        </Suspense>
        <Suspense>
          <BulkNews />
        </Suspense>
        {search.queue === 'spam' ? (
          <Suspense>
            <SuspendedLine />
          </Suspense>
        ) : null}
        {missing === undefined ? (
          <InboxList search={search} openKey={openKey} isWholeView={isWholeView} />
        ) : missing === 'pending' ? (
          <ListBones rows={8} />
        ) : (
          <Suspense>
            <NoView isGone={missing === 'gone'} onRetry={retry} />
          </Suspense>
        )}
      </section>
      <Outlet />
    </>
  );
}

/** Beside the list while nothing is open. */
export function NoChatOpen() {
  return (
    <div className="min-w-0 flex-1 bg-sunken max-md:hidden">
      <Empty icon={<MessagesSquare />} title={t('nothing_open')}>
        {t('nothing_open_hint')}
      </Empty>
    </div>
  );
}
