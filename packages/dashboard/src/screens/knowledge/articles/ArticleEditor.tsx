import type { OpenedArticle } from '@foyer/protocol';
import { ExternalLink, History, Trash2 } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { LeaveQuestion } from '../../../forms/LeaveGuard.tsx';
import { tCommon } from '../../../t-common.ts';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { GapQuestions } from '../../bot/GapQuestions.tsx';
import { AdminOnly } from '../../settings/AdminOnly.tsx';
import { ArticleBody } from '../ArticleBody.tsx';
import { ARTICLE_FIELDS, ArticleFields } from '../ArticleFields.tsx';
import { t } from '../t.ts';
import { type ArticleEditing, type ArticleEditorProps, useArticleEditor } from '../use-article-editor.ts';
import { ArticleNotices } from './ArticleNotices.tsx';
import { ArticlePreview } from './ArticlePreview.tsx';
import { DeleteArticle } from './DeleteArticle.tsx';
import { HistoryPanel } from './HistoryPanel.tsx';

type Layer = 'history' | 'delete';

/** Edits an article: a draft while typing, the article itself with "Save". */
export function ArticleEditor(props: ArticleEditorProps) {
  const editing = useArticleEditor(props);
  const [layer, setLayer] = useState<Layer | null>(null);
  const { opened, gap, form, saved, id, restored } = editing;
  const mayWrite = useMay('articles');
  return (
    <Page
      wide
      place={`article ${id ?? 'new'}`}
      title={opened ? saved.title : t('article_new')}
      back={{ to: '/knowledge', label: t('all_articles') }}
      actions={
        <>
          {opened ? <OpenedActions editing={editing} opened={opened} onOpen={setLayer} /> : null}
          {mayWrite ? <SaveButton editing={editing} /> : null}
        </>
      }
    >
      <EditorForm editing={editing}>
        <Notices editing={editing} />
        {gap ? <GapQuestions gap={gap} /> : null}
        <AdminOnly may="articles">
          <div className="space-y-4">
            <ArticleFields editing={editing} />
            {mayWrite ? <ArticleBody editing={editing} /> : <ArticlePreview body={form.body} />}
          </div>
        </AdminOnly>
        {opened ? <ChangedLine opened={opened} /> : null}
      </EditorForm>
      {opened ? (
        <>
          <HistoryPanel
            articleId={opened.article.id}
            version={opened.version}
            open={layer === 'history'}
            onClose={() => setLayer(null)}
            onRestored={restored}
          />
          <DeleteArticle article={opened.article} open={layer === 'delete'} onClose={() => setLayer(null)} />
        </>
      ) : null}
      <LeaveQuestion blocker={editing.blocker}>
        {form.title ? t('leave_hint', { title: form.title }) : t('leave_hint_untitled')}
      </LeaveQuestion>
    </Page>
  );
}

interface EditingProps {
  editing: ArticleEditing;
}

/** Saves on submit and on Ctrl S. */
function EditorForm({ editing, children }: EditingProps & { children: ReactNode }) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    editing.saveNow();
  };
  const press = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    editing.saveNow();
  };
  return (
    <form id="article" onSubmit={submit} onKeyDown={press} className="space-y-4">
      {children}
    </form>
  );
}

interface OpenedActionsProps extends EditingProps {
  opened: OpenedArticle;
  onOpen: (layer: Layer) => void;
}

function OpenedActions({ editing, opened, onOpen }: OpenedActionsProps) {
  const mayWrite = useMay('articles');
  return (
    <>
      {editing.saved.status === 'Published' ? (
        <a href={opened.url} target="_blank" rel="noreferrer" className={buttonLook()}>
          <ExternalLink aria-hidden className="size-4" />
          {t('view')}
        </a>
      ) : null}
      <Button icon={<History aria-hidden className="size-4" />} onClick={() => onOpen('history')}>
        {t('history')}
      </Button>
      {mayWrite ? (
        <Button
          look="danger-quiet"
          icon={<Trash2 aria-hidden className="size-4" />}
          onClick={() => onOpen('delete')}
        >
          {t('delete')}
        </Button>
      ) : null}
    </>
  );
}

function SaveButton({ editing: { form, save, canSave } }: EditingProps) {
  return (
    <Button
      look="primary"
      type="submit"
      form="article"
      title={`${tCommon('key_ctrl')} S`}
      busy={save.isPending}
      disabled={!canSave}
    >
      {save.isPending ? t('saving') : form.status === 'Published' ? t('save_published') : tCommon('save')}
    </Button>
  );
}

/** What the author should know before continuing, and why the last save failed. */
function Notices({ editing }: EditingProps) {
  const { opened, draft, form, dirty, isLate, save, discard } = editing;
  const shownByFields = save.error instanceof ApiError && save.error.isOnlyOf(ARTICLE_FIELDS);
  return (
    <>
      <ArticleNotices
        opened={opened}
        form={form}
        isLate={isLate}
        isDraft={draft !== null && dirty}
        busy={discard.isPending}
        onDiscard={() => discard.mutate()}
        onOverwrite={editing.overwrite}
      />
      {save.error && !isLate && !shownByFields ? (
        <ErrorNote error={save.error} title={t('save_failed')} />
      ) : null}
    </>
  );
}

function ChangedLine({ opened: { article, ratings } }: { opened: OpenedArticle }) {
  return (
    <p className="text-faint text-xs">
      {t.rich('changed_when', { when: <Ago words utc={article.updated_utc} /> })}
      {' · '}
      {ratings.helpful + ratings.unhelpful > 0 ? t('ratings', ratings) : t('ratings_none')}
    </p>
  );
}
