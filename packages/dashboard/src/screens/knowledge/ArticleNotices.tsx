import type { OpenedArticle } from '@foyer/protocol';
import { GitCompare, PencilLine, TriangleAlert, Users } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Callout } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import type { ArticleForm, DraftState } from './article-draft.ts';
import { TextDiff } from './TextDiff.tsx';

const STATE_WORDS: Record<DraftState, string> = {
  idle: '',
  waiting: 'Not kept yet',
  saving: 'Keeping your draft…',
  saved: 'Draft kept. Only you see it until you save.',
  failed: 'Your draft could not be kept. It is tried again; leave this page open.',
  elsewhere:
    'You changed this article in another window since. This window keeps its text, and saves no draft.',
};

/** Whether what is written is kept. */
export const DraftWords = ({ state, dirty }: { state: DraftState; dirty: boolean }) => (
  <p role="status" className={state === 'failed' || state === 'elsewhere' ? 'text-danger-text' : 'text-soft'}>
    {dirty ? STATE_WORDS[state] : ''}
  </p>
);

interface ArticleNoticesProps {
  opened: OpenedArticle | undefined;
  form: ArticleForm;
  /** Somebody else has saved since what is written began. */
  isLate: boolean;
  /** What is shown was written earlier and not saved. */
  isDraft: boolean;
  busy: boolean;
  onDiscard: () => void;
  onOverwrite: () => void;
}

/** What the writer should know before going on: others at work, changes meanwhile, a draft from before. */
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
          <p className="font-medium">Somebody else has saved this article since you began.</p>
          <p className="text-soft">
            Nothing is lost: your text is here, theirs is saved. Compare, then choose.
          </p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button
              small
              icon={<GitCompare aria-hidden className="size-4" />}
              onClick={() => setComparing(true)}
            >
              Compare
            </Button>
            <Button small onClick={onOverwrite}>
              Go on with mine
            </Button>
            <Button small look="danger-quiet" busy={busy} onClick={onDiscard}>
              Take theirs, give mine up
            </Button>
          </div>
        </Callout>
      ) : isDraft ? (
        <Callout icon={<PencilLine aria-hidden />}>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p>You wrote this earlier and have not saved it.</p>
            <Button small look="danger-quiet" busy={busy} onClick={onDiscard}>
              Give it up
            </Button>
          </div>
        </Callout>
      ) : null}
      {others.length > 0 ? (
        <Callout tone="warn" icon={<Users aria-hidden />}>
          <p>
            {others.map(({ agent, updated_utc }, at) => (
              <span key={agent.id}>
                {at > 0 ? ', ' : ''}
                <bdi className="font-medium">{agent.name}</bdi> (<Ago words utc={updated_utc} />)
              </span>
            ))}{' '}
            {others.length === 1 ? 'is' : 'are'} changing this article too, and{' '}
            {others.length === 1 ? 'has' : 'have'} not saved. Who saves second is told and loses nothing.
          </p>
        </Callout>
      ) : null}
      <Dialog
        open={comparing}
        wide
        onClose={() => setComparing(false)}
        title="What is saved, and what you wrote"
      >
        <TextDiff before={opened?.article.body ?? ''} after={form.body} />
      </Dialog>
    </>
  );
}
