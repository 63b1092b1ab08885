import { Link } from '@tanstack/react-router';

const TABS = [
  { to: '/knowledge', label: 'Articles' },
  { to: '/knowledge/bot', label: 'Bot' },
  { to: '/knowledge/evaluation', label: 'Evaluation' },
  { to: '/knowledge/gaps', label: 'Gaps' },
] as const;

/** What belongs to knowledge, beside the articles: what the bot makes of them. */
export function KnowledgeTabs() {
  return (
    <nav aria-label="Knowledge" className="flex gap-1 overflow-x-auto border-b">
      {TABS.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/knowledge', includeSearch: false }}
          className="-mb-px flex h-10 items-center border-transparent border-b-2 px-3 font-medium text-soft hover:text-text data-[status=active]:border-accent data-[status=active]:text-text"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
