import type { TimelineKind } from '@foyer/protocol';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tCommon } from '../../../t-common.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Segments } from '../../../ui/forms/Segments.tsx';
import { Bone, ListBones } from '../../../ui/States.tsx';
import { t } from '../t.ts';
import { Fold } from './Fold.tsx';
import { type Person, timelineQuery } from './person-queries.ts';
import { TimelineRow } from './TimelineRow.tsx';

type Choice = TimelineKind | 'all';
const CHOICES: readonly Choice[] = ['all', 'event', 'page', 'chat', 'ticket', 'note'];

/** Everything that a person did, and that was done for them, in one list. */
export function Timeline({ person }: { person: Person }) {
  const [choice, setChoice] = useState<Choice>('all');
  const list = useInfiniteQuery(timelineQuery(person.key, choice === 'all' ? undefined : choice));
  const entries = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section aria-label={t('timeline')}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-base">{t('timeline')}</h2>
        <div className="max-w-full overflow-x-auto">
          <Segments
            label={t('timeline_shown')}
            value={choice}
            options={CHOICES.map((value) => ({ value, label: t(`kinds_${value}`) }))}
            onChange={setChoice}
          />
        </div>
      </div>
      {list.isPending ? <ListBones rows={6} /> : null}
      {list.error && !list.data ? (
        <ErrorNote error={list.error} title={t('timeline_failed')} onRetry={() => void list.refetch()} />
      ) : null}
      {list.isSuccess && entries.length === 0 ? (
        <p className="rounded-lg border px-4 py-6 text-center text-soft">
          {choice === 'all' || choice === 'event'
            ? t('events_none', { call: "svc('track', …)" })
            : t(`none_${choice}`)}
        </p>
      ) : null}
      <ol className="divide-y">
        {entries.map((entry) => (
          <TimelineRow key={`${entry.kind} ${entry.id}`} entry={entry} />
        ))}
      </ol>
      {list.hasNextPage ? (
        <div className="mt-3 text-center">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {tCommon('show_more')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

const SHOWN = 6;

interface PartProps {
  person: Person;
  kind: Exclude<TimelineKind, 'note'>;
  /** The id of the record beside it. */
  except?: string | undefined;
}

function useHistory({ person, kind, except }: PartProps) {
  const list = useInfiniteQuery(timelineQuery(person.key, kind, SHOWN));
  const entries = (list.data?.pages.flatMap((page) => page.items) ?? []).filter(
    (entry) =>
      except === undefined || (entry.kind === 'chat' ? entry.session_id : String(entry.id)) !== except,
  );
  return { list, entries, error: list.data ? null : list.error };
}

/** The last few of one kind, in a section of their own; nothing if there are none. */
export function HistoryPart(props: PartProps) {
  const history = useHistory(props);
  const { list, entries, error } = history;
  if (entries.length === 0 && !error && !list.hasNextPage) return null;
  return (
    <Fold name={props.kind} title={t(`kinds_${props.kind}`)}>
      <Entries {...history} />
    </Fold>
  );
}

/** The same, loaded once its section is opened. */
export function FoldedHistoryPart(props: PartProps) {
  return (
    <Fold name={props.kind} title={t(`kinds_${props.kind}`)} isClosed>
      <Unfolded {...props} />
    </Fold>
  );
}

function Unfolded(props: PartProps) {
  const history = useHistory(props);
  if (history.list.isPending) return <Bone className="late pulse-soft h-8" />;
  if (history.entries.length === 0 && !history.error)
    return <p className="text-faint">{t(`none_${props.kind}`)}</p>;
  return <Entries {...history} />;
}

function Entries({ list, entries, error }: ReturnType<typeof useHistory>) {
  return (
    <>
      {error ? <ErrorNote error={error} onRetry={() => void list.refetch()} /> : null}
      <ol>
        {entries.map((entry) => (
          <TimelineRow key={entry.id} entry={entry} />
        ))}
      </ol>
      {list.hasNextPage ? (
        <Button
          small
          look="quiet"
          className="-ms-3"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {tCommon('show_more')}
        </Button>
      ) : null}
    </>
  );
}
