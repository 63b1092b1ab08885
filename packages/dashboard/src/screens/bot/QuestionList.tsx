import type { QuestionSet, SetQuestion } from '@foyer/protocol';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileUp, ListChecks, MessageSquare, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Badge, Empty } from '../../ui/States.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { questionSetsQuery, setQuestionsQuery } from './bot-queries.ts';
import { QuestionDialog } from './QuestionDialog.tsx';
import { t } from './t.ts';

/** The questions of a set, and what should answer each. */
export function QuestionList({ set, onImport }: { set: QuestionSet; onImport: () => void }) {
  const list = useInfiniteQuery(setQuestionsQuery(set.id));
  const questions = list.data?.pages.flatMap((page) => page.items) ?? [];
  const [editing, setEditing] = useState<SetQuestion | null>(null);
  return (
    <>
      <PagedList
        list={list}
        count={questions.length}
        label={t('questions')}
        failed={t('questions_failed')}
        empty={
          <Empty
            icon={<ListChecks />}
            title={t('questions_none')}
            action={
              <Button look="primary" icon={<FileUp aria-hidden className="size-4" />} onClick={onImport}>
                {t('import_title')}
              </Button>
            }
          >
            {t('questions_none_hint')}
          </Empty>
        }
      >
        {questions.map((question) => (
          <QuestionRow key={question.id} set={set} question={question} onEdit={() => setEditing(question)} />
        ))}
      </PagedList>
      {editing ? <QuestionDialog set={set} question={editing} onClose={() => setEditing(null)} /> : null}
    </>
  );
}

function QuestionRow({
  set,
  question,
  onEdit,
}: {
  set: QuestionSet;
  question: SetQuestion;
  onEdit: () => void;
}) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call('set_questions.delete', { id: question.id }),
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: setQuestionsQuery(set.id).queryKey }),
        client.invalidateQueries({ queryKey: questionSetsQuery.queryKey, exact: true }),
      ]);
      toast.success(t('question_removed'));
    },
    onError: (error) => toast.error(t('question_remove_failed'), error),
  });
  return (
    <li className="flex items-center gap-2 py-2 ps-4 pe-2 [contain-intrinsic-size:auto_56px] [content-visibility:auto]">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-medium" dir="auto">
          {question.question}
        </p>
        <p className="flex min-w-0 items-center gap-2 text-soft">
          <ExpectedAnswer question={question} />
        </p>
      </div>
      {question.session_id ? (
        <Link
          to="/inbox/$sessionId"
          params={{ sessionId: question.session_id }}
          aria-label={t('question_chat')}
          title={t('question_chat')}
          className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-soft hover:bg-hover hover:text-text max-md:size-10"
        >
          <MessageSquare aria-hidden className="size-4" />
        </Link>
      ) : null}
      <IconButton label={t('question_edit')} onClick={onEdit}>
        <Pencil aria-hidden className="size-4" />
      </IconButton>
      <IconButton label={t('question_remove')} busy={remove.isPending} onClick={() => remove.mutate()}>
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
    </li>
  );
}

function ExpectedAnswer({ question: { expects, article } }: { question: SetQuestion }) {
  if (expects !== 'article') return <span>{t(`expects_${expects}`)}</span>;
  if (!article) return <Badge tone="warn">{t('article_deleted')}</Badge>;
  return (
    <span className="truncate">
      <bdi>{article.title}</bdi>
    </span>
  );
}
