import type { DeletedArticle } from '@foyer/protocol';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Trash2, Undo2 } from 'lucide-react';
import { deletedArticlesQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { KEPT_DAYS, usePutBack } from './put-back.ts';

/** What was deleted and can be had back. */
export function DeletedScreen() {
  const list = useInfiniteQuery(deletedArticlesQuery);
  const articles = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page
      place="deleted articles"
      title="Recently deleted"
      intro={`Deleted articles are kept for ${KEPT_DAYS} days, with their history. Neither readers nor the bot see them.`}
      back={{ to: '/knowledge', label: 'Knowledge' }}
    >
      <PagedList
        list={list}
        count={articles.length}
        label="Deleted articles"
        failed="The deleted articles could not be loaded."
        empty={
          <Empty icon={<Trash2 />} title="Nothing was deleted">
            An article that you delete can be had back from here.
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
  const restore = useMutation({ mutationFn: () => putBack([article.id]) });
  return (
    <li className="flex min-h-12 items-center gap-4 py-2 ps-4 pe-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          <bdi>{article.title}</bdi>
        </p>
        <p className="truncate text-soft text-xs">
          {article.category ? (
            <>
              <bdi>{article.category}</bdi> ·{' '}
            </>
          ) : null}
          {article.status} · deleted <Ago words utc={article.deleted_utc} />
          {article.deleted_by ? (
            <>
              {' by '}
              <bdi>{article.deleted_by}</bdi>
            </>
          ) : null}
        </p>
      </div>
      <Button
        small
        icon={<Undo2 aria-hidden className="size-4" />}
        busy={restore.isPending}
        onClick={() => restore.mutate()}
      >
        Restore<span className="sr-only"> “{article.title}”</span>
      </Button>
    </li>
  );
}
