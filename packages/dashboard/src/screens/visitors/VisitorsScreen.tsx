import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { base } from '../../base.ts';
import { visitorsQuery } from '../../queries.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Face } from '../../ui/Face.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { valueText, visitorName } from '../../words.ts';
import { t } from './t.ts';

const route = getRouteApi('/desk/visitors');

/** Everybody who was on the site and said or did something. */
export function VisitorsScreen() {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(visitorsQuery(q));
  const visitors = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page
      wide
      place={`visitors ${q}`}
      title={t('visitors')}
      intro={t('visitors_hint')}
      tools={
        <SearchField
          label={t('search')}
          value={q}
          onChange={(next) => void navigate({ search: next ? { q: next } : {}, replace: true })}
        />
      }
    >
      <PagedList
        list={list}
        count={visitors.length}
        label={t('visitors')}
        failed={t('visitors_not_loaded')}
        bones={{ rows: 8, face: true }}
        empty={
          <Empty
            icon={<Users />}
            title={q ? t('nobody_found') : t('nobody_yet')}
            action={
              q ? (
                <Button onClick={() => void navigate({ search: {} })}>{base('search_clear')}</Button>
              ) : (
                <Link to="/settings/install" className={buttonLook('primary')}>
                  {t('install')}
                </Link>
              )
            }
          >
            {q ? t('nobody_found_hint', { q }) : t('nobody_yet_hint')}
          </Empty>
        }
      >
        {visitors.map((visitor) => (
          <li key={visitor.key}>
            <Link
              to="/visitors/$key"
              params={{ key: visitor.key }}
              className="-outline-offset-2 flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-hover"
            >
              <Face kind="visitor" name={visitor.name} />
              <span className="min-w-0 flex-1 md:flex-[2]">
                <span className="block truncate font-medium">
                  <bdi>{visitorName(visitor)}</bdi>
                </span>
                <span className="block truncate text-soft text-xs">
                  {visitor.name && visitor.email ? visitor.email : visitor.key}
                </span>
              </span>
              <span className="min-w-0 flex-[3] truncate text-soft max-md:hidden">
                {Object.entries(visitor.attributes)
                  .slice(0, 3)
                  .map(([name, value]) => `${name}: ${valueText(value)}`)
                  .join(' · ')}
              </span>
              <span className="w-20 shrink-0 text-end text-faint text-xs">
                <Ago utc={visitor.last_seen_utc} />
              </span>
            </Link>
          </li>
        ))}
      </PagedList>
    </Page>
  );
}
