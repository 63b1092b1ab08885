import { useQuery } from '@tanstack/react-query';
import { Link, useMatchRoute } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Suspense } from 'react';
import { lazyPart } from '../../lazy-part.ts';
import { countsQuery } from '../../queries.ts';
import { tCommon } from '../../t-common.ts';
import { cx } from '../../ui/classes.ts';
import { Keys } from '../../ui/Tip.tsx';
import { useMe, useNeeds } from '../DeskContext.tsx';
import { SiteName } from '../sites/SiteName.tsx';
import { NAV, type NavItem } from './nav.ts';

/** Menus are heavy, and nobody opens one in the first second. */
const AgentMenu = lazyPart(() => import('./AgentMenu.tsx'), 'AgentMenu');

const Bell = lazyPart(() => import('../../screens/notifications/Bell.tsx'), 'Bell');

const SiteMenu = lazyPart(() => import('../sites/SiteMenu.tsx'), 'SiteMenu');

const FirstStepsLink = lazyPart(
  () => import('../../screens/first-steps/FirstStepsLink.tsx'),
  'FirstStepsLink',
);

const QueueNav = lazyPart(() => import('../../screens/inbox/list/QueueNav.tsx'), 'QueueNav');

interface MainNavProps {
  onSearch: () => void;
  onShortcuts: () => void;
  /** In an open chat, the phone's bottom bar makes room for the conversation. */
  hiddenOnPhone: boolean;
}

/** A column with labels on wide screens, icons on medium ones, a bottom bar on phones. */
export function MainNav({ onSearch, onShortcuts, hiddenOnPhone }: MainNavProps) {
  const mayOpen = useNeeds();
  const inInbox = Boolean(useMatchRoute()({ to: '/inbox', fuzzy: true }));
  return (
    <nav
      aria-label={tCommon('main')}
      className={cx(
        'painted-apart flex shrink-0 bg-frame max-md:border-t max-md:pb-[env(safe-area-inset-bottom)] md:w-14 md:flex-col md:p-2 xl:w-56 xl:px-2 xl:py-3',
        hiddenOnPhone && 'max-md:hidden',
      )}
    >
      <div className="h-10 max-md:hidden">
        <SiteHead />
      </div>
      <SearchButton onSearch={onSearch} />
      <div className="mb-1 min-h-9 max-md:hidden">
        <Suspense>
          <Bell wide />
        </Suspense>
      </div>
      <ul className="flex flex-1 gap-1 max-md:justify-around max-md:px-1 md:flex-col xl:min-h-0 xl:overflow-y-auto">
        {NAV.filter(({ needs }) => mayOpen(needs)).map((item) => (
          <li
            key={item.to}
            className={cx(
              'max-md:flex-1',
              // Many views scroll within a few rows, so that the other pages stay in place.
              item.to === '/inbox' && inInbox ? 'xl:flex xl:min-h-60 xl:flex-col' : 'xl:shrink-0',
            )}
          >
            <NavLink item={item} />
            {item.to === '/inbox' && inInbox ? (
              <div className="scroll-y my-1 ms-5 min-h-0 max-xl:hidden">
                <Suspense>
                  <QueueNav />
                </Suspense>
              </div>
            ) : null}
          </li>
        ))}
      </ul>
      <Suspense>
        <FirstStepsLink className="mb-1 max-md:hidden md:max-xl:justify-center" />
      </Suspense>
      <div className="min-h-10 max-md:hidden xl:min-h-13">
        <Suspense>
          <AgentMenu onShortcuts={onShortcuts} />
        </Suspense>
      </div>
    </nav>
  );
}

/** The site's name; a menu for people with several sites, and for admins, who can create more. */
export function SiteHead() {
  const { sites, agent } = useMe();
  const plain = (
    <span className="flex h-full items-center px-1 md:max-xl:px-0 xl:px-2">
      <SiteName />
    </span>
  );
  if (sites.length < 2 && agent.role !== 'admin') return plain;
  return (
    <Suspense fallback={plain}>
      <SiteMenu />
    </Suspense>
  );
}

function SearchButton({ onSearch }: { onSearch: () => void }) {
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K"
      title={tCommon('search_and_commands_keys')}
      onClick={onSearch}
      className="my-2 flex h-9 items-center gap-2 rounded-lg border border-line-strong bg-surface px-2.5 text-faint hover:text-text max-md:hidden max-xl:justify-center"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span aria-hidden className="flex-1 text-start max-xl:hidden">
        {tCommon('search')}
      </span>
      <span className="sr-only">{tCommon('search_and_commands')}</span>
      <span aria-hidden className="max-xl:hidden">
        <Keys keys="Ctrl K" />
      </span>
    </button>
  );
}

function NavLink({ item }: { item: NavItem }) {
  const waiting = useQuery({ ...countsQuery, enabled: item.to === '/inbox' }).data?.waiting ?? 0;
  const badge = item.to === '/inbox' && waiting > 0 ? waiting : 0;
  const Icon = item.icon;
  return (
    <Link
      to={item.to}
      title={tCommon(item.word)}
      className="relative flex h-9 shrink-0 items-center gap-3 rounded-lg px-2.5 text-soft hover:bg-pressed hover:text-text data-[status=active]:bg-pressed data-[status=active]:font-medium data-[status=active]:text-text max-md:h-14 max-md:flex-col max-md:justify-center max-md:gap-1 max-md:px-0 max-md:text-xs md:max-xl:justify-center max-md:data-[status=active]:bg-transparent max-md:data-[status=active]:text-accent-text"
    >
      <Icon aria-hidden className="size-[18px] shrink-0 max-md:size-5" />
      <span className="truncate md:max-xl:sr-only">{tCommon(item.word)}</span>
      {badge ? (
        <span className="tabular rounded-md bg-accent px-1.5 font-semibold text-on-accent text-xs max-md:absolute max-md:start-1/2 max-md:top-1 max-md:ms-2 md:max-xl:absolute md:max-xl:-end-1 md:max-xl:-top-1.5 md:max-xl:px-1 xl:-me-1.5 xl:ms-auto">
          <span aria-hidden>{badge}</span>
          <span className="sr-only">{tCommon('waiting_count', { count: badge })}</span>
        </span>
      ) : null}
    </Link>
  );
}
