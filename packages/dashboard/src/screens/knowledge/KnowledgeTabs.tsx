import { Link } from '@tanstack/react-router';
import { tCommon } from '../../t-common.ts';
import { t } from './t.ts';

const TABS = [
  { to: '/knowledge', label: 'articles' },
  { to: '/knowledge/sources', label: 'tab_sources' },
  { to: '/knowledge/bot', label: 'tab_bot' },
  { to: '/knowledge/actions', label: 'tab_actions' },
  { to: '/knowledge/evaluation', label: 'tab_evaluation' },
  { to: '/knowledge/gaps', label: 'tab_gaps' },
] as const;

/** The pages of Knowledge besides the articles. */
export function KnowledgeTabs() {
  return (
    <nav aria-label={tCommon('nav_knowledge')} className="flex gap-1 overflow-x-auto border-b">
      {TABS.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/knowledge', includeSearch: false }}
          className="-mb-px flex h-10 items-center border-transparent border-b-2 px-3 font-medium text-soft hover:text-text data-[status=active]:border-accent data-[status=active]:text-text"
        >
          {t(label)}
        </Link>
      ))}
    </nav>
  );
}
