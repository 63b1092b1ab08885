import type { Article } from '@foyer/protocol';
import { DELETED_ARTICLES_KEPT_DAYS } from '@foyer/protocol/values/bounds';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { openedArticleQuery } from '../knowledge-queries.ts';
import { t } from '../t.ts';
import { useSayDeleted } from './put-back.ts';

interface DeleteArticleProps {
  article: Article;
  open: boolean;
  onClose: () => void;
}

/** Deletes an article, with Undo. */
export function DeleteArticle({ article, open, onClose }: DeleteArticleProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const sayDeleted = useSayDeleted();
  return (
    <ConfirmAction
      open={open}
      onClose={onClose}
      title={t('delete_question', { title: article.title })}
      action={t('delete_article')}
      run={() => call('articles.delete', { id: article.id })}
      onDone={async () => {
        await navigate({ to: '/knowledge', ignoreBlocker: true });
        client.removeQueries({ queryKey: openedArticleQuery(article.id).queryKey });
        void client.invalidateQueries({ queryKey: ['articles'] });
        void client.invalidateQueries({ queryKey: ['categories'] });
        sayDeleted(t('delete_done'), [article.id]);
      }}
    >
      {t('delete_hint', { days: DELETED_ARTICLES_KEPT_DAYS })}
    </ConfirmAction>
  );
}
