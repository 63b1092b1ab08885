import type { ReactNode } from 'react';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Empty } from '../../ui/States.tsx';
import type { MailLogFilter } from './mail-log-filter.ts';
import { t } from './t.ts';
import { useFilledPages } from './use-filled-pages.ts';

interface LogListProps<T> {
  list: Omit<Parameters<typeof PagedList>[0]['list'], 'data'> & {
    data: { pages: readonly { items: readonly T[] }[] } | undefined;
    isFetching: boolean;
  };
  kind: 'received' | 'sent';
  filter: MailLogFilter;
  icon: ReactNode;
  row: (mail: T) => ReactNode;
}

/** The mails of a view that match the filter, or what says that there are none. */
export function LogList<T>({ list, kind, filter: { view: _, ...filters }, icon, row }: LogListProps<T>) {
  useFilledPages(list);
  const mails = list.data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <PagedList
      list={list}
      count={mails.length}
      label={t(`view_${kind}`)}
      failed={t('failed')}
      empty={
        <Empty icon={icon} title={t(isFiltered ? 'none_found' : `none_${kind}`)}>
          {t(isFiltered ? 'none_found_hint' : `none_${kind}_hint`)}
        </Empty>
      }
    >
      {mails.map(row)}
    </PagedList>
  );
}
