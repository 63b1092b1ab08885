import type { Article } from '@foyer/protocol';
import { DELETED_ARTICLES_KEPT_DAYS } from '@foyer/protocol/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api.ts';
import { openedArticleQuery } from '../../queries.ts';
import { Confirm } from '../../ui/Dialog.tsx';
import { useSayDeleted } from './put-back.ts';
import { t } from './t.ts';

interface DeleteArticleProps {
  article: Article;
  open: boolean;
  onClose: () => void;
}

export function DeleteArticle({ article, open, onClose }: DeleteArticleProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const sayDeleted = useSayDeleted();
  const remove = useMutation({
    mutationFn: () => call('articles.delete', { id: article.id }),
    onSuccess: async () => {
      await navigate({ to: '/knowledge', ignoreBlocker: true });
      client.removeQueries({ queryKey: openedArticleQuery(article.id).queryKey });
      void client.invalidateQueries({ queryKey: ['articles'] });
      void client.invalidateQueries({ queryKey: ['categories'] });
      sayDeleted(t('delete_done'), [article.id]);
    },
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t('delete_question', { title: article.title })}
      action={t('delete_article')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      {t('delete_hint', { days: DELETED_ARTICLES_KEPT_DAYS })}
    </Confirm>
  );
}
