import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useCallback } from 'react';
import { useMay } from '../../desk/DeskContext.tsx';
import { tCommon } from '../../t-common.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { ExportButton } from '../../ui/ExportButton.tsx';
import { SelectField } from '../../ui/forms/Field.tsx';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { Page } from '../../ui/Page.tsx';
import { Empty } from '../../ui/States.tsx';
import { Waiting } from '../../ui/Waiting.tsx';
import { saveVisitors } from './export-visitors.ts';
import { t } from './t.ts';
import { FilterChips, VisitorFilters } from './VisitorFilters.tsx';
import { VisitorRows } from './VisitorRows.tsx';
import { VisitorTabs } from './VisitorTabs.tsx';
import { segmentsQuery, visitorListQuery } from './visitor-queries.ts';
import { filtersIn, readVisitorSearch, type VisitorSearch, withoutFilters } from './visitor-search.ts';

const route = getRouteApi('/desk/visitors');

/** Everyone who was on the site and said or did something. */
export function VisitorsScreen() {
  const search = route.useSearch();
  const admin = useMay('personal_data');
  return (
    <Page
      wide
      place={`visitors ${JSON.stringify(search)}`}
      title={t('visitors')}
      intro={t('visitors_hint')}
      tabs={<VisitorTabs />}
      actions={
        admin ? (
          <ExportButton label={t('export')} failed={t('export_failed')} save={() => saveVisitors(search)} />
        ) : null
      }
      tools={<Tools search={search} />}
    >
      <List search={search} />
    </Page>
  );
}

function Tools({ search }: { search: VisitorSearch }) {
  const navigate = route.useNavigate();
  const segments = useQuery(segmentsQuery).data?.items ?? [];
  const set = (field: keyof VisitorSearch, value: string): void =>
    void navigate({ search: readVisitorSearch({ ...search, [field]: value }), replace: true });
  return (
    <>
      <div className="flex min-w-48 flex-1 max-sm:basis-full">
        <SearchField label={t('search')} value={search.q ?? ''} onChange={(q) => set('q', q)} />
      </div>
      <SelectField
        bare
        label={t('segment')}
        frame="w-44 max-sm:flex-1"
        value={search.segment ?? ''}
        onChange={({ target }) => set('segment', target.value)}
        any={t('everybody')}
        options={segments.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {search.q ? null : (
        <SelectField
          bare
          label={t('sort')}
          frame="w-44 max-sm:flex-1"
          value={search.sort ?? ''}
          onChange={({ target }) => set('sort', target.value)}
          any={t('sort_seen')}
          options={[
            { value: 'last_seen', label: t('sort_unseen') },
            { value: '-created', label: t('sort_newest') },
            { value: 'created', label: t('sort_oldest') },
          ]}
        />
      )}
      <VisitorFilters search={search} />
      <FilterChips search={search} />
    </>
  );
}

function List({ search }: { search: VisitorSearch }) {
  const { data, error, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    visitorListQuery(search),
  );
  const visitors = data?.pages.flatMap((page) => page.items) ?? [];
  // A failed page is only retried by the button, not automatically forever.
  const mayAsk = !isFetchingNextPage && !error;
  const onMore = useCallback(() => {
    if (mayAsk) void fetchNextPage();
  }, [mayAsk, fetchNextPage]);
  if (!data)
    return <Waiting error={error} retry={refetch} failed={t('visitors_not_loaded')} rows={10} face />;
  if (visitors.length === 0 && !hasNextPage) return <Nobody search={search} />;
  return (
    <>
      <VisitorRows visitors={visitors} hasMore={hasNextPage} onMore={onMore} />
      <p role="status" className="min-h-12 py-3 text-center text-soft">
        {error ? (
          <Button small onClick={() => void fetchNextPage()}>
            {tCommon('retry')}
          </Button>
        ) : hasNextPage ? (
          t('looking_further')
        ) : null}
      </p>
    </>
  );
}

function Nobody({ search }: { search: VisitorSearch }) {
  const navigate = route.useNavigate();
  const { q } = search;
  const isNarrowed = Boolean(q) || filtersIn(search).length > 0;
  if (!isNarrowed) {
    return (
      <Empty
        icon={<Users />}
        title={t('nobody_yet')}
        action={
          <Link to="/settings/install" className={buttonLook('primary')}>
            {t('install')}
          </Link>
        }
      >
        {t('nobody_yet_hint')}
      </Empty>
    );
  }
  const isFiltered = filtersIn(search).length > 0;
  return (
    <Empty
      icon={<Users />}
      title={t('nobody_found')}
      action={
        <Button onClick={() => void navigate({ search: isFiltered ? withoutFilters(search) : {} })}>
          {isFiltered ? t('filters_clear') : tCommon('search_clear')}
        </Button>
      }
    >
      {isFiltered ? t('nobody_filtered_hint') : t('nobody_found_hint', { q: q ?? '' })}
    </Empty>
  );
}
