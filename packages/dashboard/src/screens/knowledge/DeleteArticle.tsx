import type { Article } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api.ts';
import { openedArticleQuery } from '../../queries.ts';
import { Confirm } from '../../ui/Dialog.tsx';
import { KEPT_DAYS, useSayDeleted } from './put-back.ts';

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
      sayDeleted('The article was deleted.', [article.id]);
    },
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={`Delete “${article.title}”?`}
      action="Delete article"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      Readers no longer find it, and the bot no longer answers from it. For {KEPT_DAYS} days you can have it
      back, with its history, under Recently deleted.
    </Confirm>
  );
}
