import type { Article } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api.ts';
import { openedArticleQuery } from '../../queries.ts';
import { Confirm } from '../../ui/Dialog.tsx';
import { say } from '../../ui/toast-store.ts';

interface DeleteArticleProps {
  article: Article;
  open: boolean;
  onClose: () => void;
}

export function DeleteArticle({ article, open, onClose }: DeleteArticleProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('articles.delete', { id: article.id }),
    onSuccess: async () => {
      await navigate({ to: '/knowledge', ignoreBlocker: true });
      client.removeQueries({ queryKey: openedArticleQuery(article.id).queryKey });
      void client.invalidateQueries({ queryKey: ['articles'] });
      void client.invalidateQueries({ queryKey: ['categories'] });
      say('The article was deleted.');
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
      Its text goes for good with its history, and the bot no longer answers from it. To keep the text, set
      its status to Archived instead.
    </Confirm>
  );
}
