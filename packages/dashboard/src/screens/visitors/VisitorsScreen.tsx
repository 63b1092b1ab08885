import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { visitorsQuery } from '../../queries.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Face } from '../../ui/Face.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { valueText, visitorName } from '../../words.ts';

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
      title="Visitors"
      intro="Who was on your site, with what it told Foyer about them."
      tools={
        <SearchField
          label="Search by name, e-mail or key"
          value={q}
          onChange={(next) => void navigate({ search: next ? { q: next } : {}, replace: true })}
        />
      }
    >
      <PagedList
        list={list}
        count={visitors.length}
        label="Visitors"
        failed="The visitors could not be loaded."
        bones={{ rows: 8, face: true }}
        empty={
          <Empty
            icon={<Users />}
            title={q ? 'Nobody found' : 'Nobody yet'}
            action={
              q ? (
                <Button onClick={() => void navigate({ search: {} })}>Clear the search</Button>
              ) : (
                <Link to="/settings/install" className={buttonLook('primary')}>
                  Put the chat on your site
                </Link>
              )
            }
          >
            {q
              ? `No visitor has “${q}” in their name, e-mail address or key.`
              : 'Once the chat is on your pages, whoever visits them shows here.'}
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
