import type { InboxQueue } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { countsQuery } from '../../../../queries.ts';
import { buttonLook } from '../../../../ui/Button.tsx';
import { Empty } from '../../../../ui/States.tsx';
import { firstStepsQuery } from '../../../first-steps/first-steps.ts';
import { filterCount, type InboxSearch, isSearching, withoutFilters } from '../inbox-search.ts';
import { t } from './t.ts';

/** The quotation marks that the server accepts (inbox/phrases.ts). */
const QUOTED = /["“”„«»]/;

/** Instead of an empty list. */
export function NothingHere({ search, isWholeView }: { search: InboxSearch; isWholeView: boolean }) {
  if (search.q)
    return (
      <Empty icon={<Inbox />} title={t('nothing_found')}>
        {t(filterCount(search) > 0 ? 'none_found_filtered' : 'none_found', { q: search.q })}
        {QUOTED.test(search.q) && <span className="block">{t('none_found_quoted')}</span>}
      </Empty>
    );
  if (isWholeView)
    return (
      <Empty icon={<Inbox />} title={t('view_empty')}>
        {t('view_empty_hint')}
      </Empty>
    );
  if (filterCount(search) > 0)
    return (
      <Empty
        icon={<Inbox />}
        title={t('no_results')}
        action={
          <Link to="/inbox" search={withoutFilters(search)} className={buttonLook()}>
            {t('filters_clear')}
          </Link>
        }
      >
        {t('no_results_hint')}
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

/** What to do while nobody writes. */
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
    <Empty icon={<Inbox />} title={t(`empty_${queue}`)} action={action}>
      {t(`empty_${queue}_hint`)}
    </Empty>
  );
}
