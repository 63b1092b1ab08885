import { HERE_COUNT_MAX } from '@foyer/protocol/values/bounds';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../language.ts';
import { tCommon } from '../../t-common.ts';
import { t } from './t.ts';
import { hereCountQuery } from './visitor-queries.ts';

const TABS = [
  { to: '/visitors', label: 'tab_all' },
  { to: '/visitors/here', label: 'tab_here' },
  { to: '/visitors/segments', label: 'tab_segments' },
] as const;

/** What belongs to visitors: all, those who are on the site now, and their segments. */
export function VisitorTabs() {
  const count = useQuery(hereCountQuery).data?.count;
  return (
    <nav aria-label={tCommon('nav_visitors')} className="flex gap-1 overflow-x-auto border-b">
      {TABS.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          className="-mb-px flex h-10 shrink-0 items-center gap-2 border-transparent border-b-2 px-3 font-medium text-soft hover:text-text data-[status=active]:border-accent data-[status=active]:text-text"
        >
          {t(label)}
          {to === '/visitors/here' && count !== undefined ? (
            <span className="tabular text-faint text-xs">
              {count >= HERE_COUNT_MAX ? `${formatNumber(HERE_COUNT_MAX - 1)}+` : formatNumber(count)}
            </span>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
