import type { OpenedArticle } from '@foyer/protocol';
import { GitCompare, PencilLine, TriangleAlert, Users } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { Callout } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { t } from '../t.ts';
import type { ArticleForm, DraftState } from './article-draft.ts';
import { TextDiff } from './TextDiff.tsx';

/** Whether the draft is saved. */
export const DraftWords = ({ state, dirty }: { state: DraftState; dirty: boolean }) => (
  <p role="status" className={state === 'failed' || state === 'elsewhere' ? 'text-danger-text' : 'text-soft'}>
    {dirty && state !== 'idle' ? t(`draft_${state}`) : ''}
  </p>
);

interface ArticleNoticesProps {
  opened: OpenedArticle | undefined;
  form: ArticleForm;
  /** Somebody else has saved since the draft was begun. */
  isLate: boolean;
  /** The text shown is an earlier unsaved draft. */
  isDraft: boolean;
  busy: boolean;
  onDiscard: () => void;
  onOverwrite: () => void;
}

/** What the author should know before continuing: other authors, changes meanwhile, an earlier draft. */
export function ArticleNotices({
  opened,
  form,
  isLate,
  isDraft,
  busy,
  onDiscard,
  onOverwrite,
}: ArticleNoticesProps) {
  const [comparing, setComparing] = useState(false);
  const others = opened?.others ?? [];
  return (
    <>
      {isLate ? (
        <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
          <p className="font-medium">{t('late')}</p>
          <p className="text-soft">{t('late_hint')}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button
              small
              icon={<GitCompare aria-hidden className="size-4" />}
              onClick={() => setComparing(true)}
            >
              {t('compare')}
            </Button>
            <Button small onClick={onOverwrite}>
              {t('mine')}
            </Button>
            <Button small look="danger-quiet" busy={busy} onClick={onDiscard}>
              {t('theirs')}
            </Button>
          </div>
        </Callout>
      ) : isDraft ? (
        <Callout icon={<PencilLine aria-hidden />}>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p>{t('earlier')}</p>
            <Button small look="danger-quiet" busy={busy} onClick={onDiscard}>
              {t('discard')}
            </Button>
          </div>
        </Callout>
      ) : null}
      {others.length > 0 ? <OtherWriters others={others} /> : null}
      <Dialog open={comparing} wide onClose={() => setComparing(false)} title={t('compare_title')}>
        <TextDiff before={opened?.article.body ?? ''} after={form.body} />
      </Dialog>
    </>
  );
}

function OtherWriters({ others }: { others: OpenedArticle['others'] }) {
  return (
    <Callout tone="warn" icon={<Users aria-hidden />}>
      <p>
        {t.rich(others.length === 1 ? 'writer_other' : 'writers_other', {
          names: others.map(({ agent, updated_utc }, at) => (
            <span key={agent.id}>
              {at > 0 ? ', ' : ''}
              <bdi className="font-medium">{agent.name}</bdi> (<Ago words utc={updated_utc} />)
            </span>
          )),
        })}
      </p>
    </Callout>
  );
}
