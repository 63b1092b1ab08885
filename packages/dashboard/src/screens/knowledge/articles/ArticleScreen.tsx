import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FileX } from 'lucide-react';
import { ApiError, call } from '../../../api.ts';
import { tCommon } from '../../../t-common.ts';
import { Page } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { gapQuery } from '../../bot/bot-queries.ts';
import { openedArticleQuery } from '../knowledge-queries.ts';
import { t } from '../t.ts';
import { ArticleEditor } from './ArticleEditor.tsx';

const route = getRouteApi('/desk/knowledge/$articleId');
const newRoute = getRouteApi('/desk/knowledge/new');

/** If the address has a gap: an article for it, with its questions beside the text. */
export function NewArticleScreen() {
  const { gap: gapId } = newRoute.useSearch();
  const gap = useQuery({ ...gapQuery(gapId ?? 0), enabled: gapId !== undefined });
  const { data, error, refetch } = useQuery({
    queryKey: ['articles', 'new'],
    queryFn: ({ signal }) => call('article_drafts.get', { article_id: null }, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // A gap that no longer exists doesn't prevent writing.
  const isReady = gapId === undefined || gap.data !== undefined || gap.isError;
  if (data && isReady) return <ArticleEditor draft={data.draft} gap={gap.data} />;
  return <Loading error={error} retry={refetch} title={t('article_new')} />;
}

/** One article in the editor. */
export function ArticleScreen() {
  const id = Number(route.useParams().articleId);
  const valid = Number.isSafeInteger(id) && id > 0;
  const { data, error, refetch } = useQuery({ ...openedArticleQuery(id), enabled: valid });
  if (data) return <ArticleEditor key={data.article.id} opened={data} draft={data.draft} />;
  if (!valid || (error instanceof ApiError && error.code === 'not_found')) {
    return (
      <Page place="article" title={t('article')} back={{ to: '/knowledge', label: t('all_articles') }}>
        <Empty icon={<FileX />} title={t('article_none')}>
          {tCommon('nothing_here_hint')}
        </Empty>
      </Page>
    );
  }
  return <Loading error={error} retry={refetch} title={t('article')} />;
}

function Loading({ title, ...query }: { title: string; error: Error | null; retry: () => unknown }) {
  return (
    <Page place="article" title={title} back={{ to: '/knowledge', label: t('all_articles') }}>
      <Waiting {...query} failed={t('article_failed')} height="h-80" />
    </Page>
  );
}
