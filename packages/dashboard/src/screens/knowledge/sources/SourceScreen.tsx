import type { KnowledgeDocument } from '@foyer/protocol';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Network } from 'lucide-react';
import { cx, LINE } from '../../../ui/classes.ts';
import { Page } from '../../../ui/Page.tsx';
import { PagedList } from '../../../ui/rows/PagedList.tsx';
import { Empty } from '../../../ui/States.tsx';
import { SourceFigures, SourceProblem, SourceState } from './SourceFigures.tsx';
import { documentsQuery, isUnderWay, sourceQuery } from './source-queries.ts';
import { t } from './t.ts';

const route = getRouteApi('/desk/knowledge/sources/$sourceId');

/** The pages of a sitemap. */
export function SourceScreen() {
  const id = Number(route.useParams().sourceId);
  const { data: source } = useQuery(sourceQuery(id));
  const list = useInfiniteQuery(documentsQuery(id, source !== undefined && isUnderWay(source)));
  const documents = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Page
      place={`source ${id}`}
      title={source?.address ?? t('kind_sitemap')}
      back={{ to: '/knowledge/sources', label: t('title') }}
    >
      {source ? (
        <div className="mb-4">
          <SourceState of={source} />
          <SourceFigures of={source} pages={source.documents} />
          <SourceProblem of={source} />
        </div>
      ) : null}
      <PagedList
        list={list}
        count={documents.length}
        label={t('pages')}
        failed={t('pages_not_loaded')}
        empty={
          <Empty icon={<Network />} title={t('pages_none')}>
            {t('pages_none_hint')}
          </Empty>
        }
      >
        {documents.map((document) => (
          <DocumentRow key={document.id} document={document} />
        ))}
      </PagedList>
    </Page>
  );
}

function DocumentRow({ document }: { document: KnowledgeDocument }) {
  const { id, address, title, passages } = document;
  const name = passages > 0 ? title : new URL(address).pathname;
  return (
    <li className="min-h-14 px-4 py-2">
      <p className="flex items-center gap-2">
        <Link
          to="/knowledge/documents/$documentId"
          params={{ documentId: String(id) }}
          className={cx(LINE, 'font-medium hover:underline')}
        >
          <bdi>{name}</bdi>
        </Link>
        <SourceState of={document} />
      </p>
      <p dir="ltr" className="wrap-anywhere text-start text-soft text-xs">
        {address}
      </p>
      <SourceFigures of={document} />
      <SourceProblem of={document} />
    </li>
  );
}
