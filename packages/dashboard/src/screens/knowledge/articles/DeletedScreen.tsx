import type { DeletedArticle } from '@foyer/protocol';
import { DELETED_ARTICLES_KEPT_DAYS } from '@foyer/protocol/values/bounds';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Trash2, Undo2 } from 'lucide-react';
import { useMay } from '../../../desk/DeskContext.tsx';
import { tCommon } from '../../../t-common.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { Page } from '../../../ui/Page.tsx';
import { PagedList } from '../../../ui/rows/PagedList.tsx';
import { Empty } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { deletedArticlesQuery } from '../knowledge-queries.ts';
import { t } from '../t.ts';
import { usePutBack } from './put-back.ts';

/** Deleted articles that can be restored. */
export function DeletedScreen() {
  const list = useInfiniteQuery(deletedArticlesQuery);
  const articles = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page
      place="deleted articles"
      title={t('deleted')}
      intro={t('deleted_intro', { days: DELETED_ARTICLES_KEPT_DAYS })}
      back={{ to: '/knowledge', label: tCommon('nav_knowledge') }}
    >
      <PagedList
        list={list}
        count={articles.length}
        label={t('deleted_list')}
        failed={t('deleted_failed')}
        empty={
          <Empty icon={<Trash2 />} title={t('deleted_none')}>
            {t('deleted_none_hint')}
          </Empty>
        }
      >
        {articles.map((article) => (
          <DeletedRow key={article.id} article={article} />
        ))}
      </PagedList>
    </Page>
  );
}

function DeletedRow({ article }: { article: DeletedArticle }) {
  const putBack = usePutBack();
  const mayWrite = useMay('articles');
  const restore = useMutation({ mutationFn: () => putBack([article.id]) });
  const when = <Ago words utc={article.deleted_utc} />;
  return (
    <li className="flex min-h-12 items-center gap-4 py-2 ps-4 pe-2">
      <div className="min-w-0 flex-1">
        <p className={cx(LINE, 'font-medium')}>
          <bdi>{article.title}</bdi>
        </p>
        <p className="flex flex-wrap gap-x-3 text-soft text-xs">
          {article.category ? (
            <span className="max-w-60 truncate">
              <bdi>{article.category}</bdi>
            </span>
          ) : null}
          <span className="wrap-anywhere">
            {t(`status_${article.status}`)}
            {' · '}
            {article.deleted_by
              ? t.rich('deleted_when_by', { when, name: <bdi>{article.deleted_by}</bdi> })
              : t.rich('deleted_when', { when })}
          </span>
        </p>
      </div>
      {mayWrite ? (
        <Button
          small
          icon={<Undo2 aria-hidden className="size-4" />}
          busy={restore.isPending}
          onClick={() => restore.mutate()}
        >
          {t.rich('restore', {
            title: <span className="sr-only">{t('quoted', { text: article.title })}</span>,
          })}
        </Button>
      ) : null}
    </li>
  );
}
