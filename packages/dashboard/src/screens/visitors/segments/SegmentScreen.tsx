import type { Segment } from '@foyer/protocol';
import { NAME_MAX, SEGMENT_CONDITIONS_MAX } from '@foyer/protocol/bounds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Shapes } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../../../api.ts';
import { base } from '../../../base.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Bone, Empty } from '../../../ui/States.tsx';
import { say } from '../../../ui/toast-store.ts';
import { t } from '../t.ts';
import { fieldsQuery, segmentQuery } from '../visitor-queries.ts';
import { DeleteSegment } from './DeleteSegment.tsx';
import { GroupFields } from './RuleFields.tsx';
import {
  countConditions,
  draftOf,
  faultsOf,
  type GroupDraft,
  newGroup,
  ruleOf,
  withPart,
} from './rule-draft.ts';
import { ruleSentence } from './rule-words.ts';
import { SegmentPreview } from './SegmentPreview.tsx';

const route = getRouteApi('/desk/visitors/segments/$segmentId');

export const NewSegmentScreen = () => <Builder />;

export function SegmentScreen() {
  const { segmentId } = route.useParams();
  const { data, error, refetch } = useQuery(segmentQuery(Number(segmentId)));
  if (data) return <Builder key={data.id} segment={data} />;
  if (error instanceof ApiError && ['not_found', 'invalid_input'].includes(error.code)) {
    return (
      <Empty icon={<Shapes />} title={t('no_segment')}>
        {t('no_segment_hint')}
      </Empty>
    );
  }
  return (
    <Page place={`segment ${segmentId}`} title={t('segment')}>
      {error ? (
        <ErrorNote error={error} title={t('segments_not_loaded')} onRetry={() => void refetch()} />
      ) : (
        <Bone className="late pulse-soft h-40" />
      )}
    </Page>
  );
}

function draftFrom(segment: Segment | undefined): GroupDraft {
  const draft = segment && draftOf(segment.rule);
  return draft?.type === 'group' ? draft : newGroup('all');
}

/** A rule over attributes and events, with the number of those it holds for beside it. */
function Builder({ segment }: { segment?: Segment }) {
  const [name, setName] = useState(segment?.name ?? '');
  const [draft, setDraft] = useState(() => draftFrom(segment));
  const [opened] = useState({ name, draft });
  const [tried, setTried] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const { data: fields } = useQuery(fieldsQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const faults = faultsOf(draft);
  const rule = faults.length === 0 ? ruleOf(draft) : undefined;
  const save = useMutation({
    mutationFn: () => {
      const input = { name: name.trim(), rule: ruleOf(draft) };
      return segment ? call('segments.update', { id: segment.id, ...input }) : call('segments.create', input);
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['segments'] });
      void client.invalidateQueries({ queryKey: ['visitors'] });
      say(t('segment_saved'));
      void navigate({ to: '/visitors/segments', ignoreBlocker: true });
    },
  });
  const trySaving = (): void => {
    setTried(true);
    if (rule && name.trim() !== '') save.mutate();
  };
  const nameFault =
    save.error instanceof ApiError && save.error.code === 'conflict' ? save.error.message : undefined;
  return (
    <Page
      wide
      place={`segment ${segment?.id ?? 'new'}`}
      title={segment?.name ?? t('segment_new')}
      back={{ to: '/visitors/segments', label: t('tab_segments') }}
      actions={
        <>
          {segment ? (
            <Button look="danger-quiet" onClick={() => setDeleting(true)}>
              {t('segment_delete')}
            </Button>
          ) : null}
          <Button look="primary" busy={save.isPending} onClick={trySaving}>
            {base('save')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-6 lg:flex-row">
        <div className="min-w-0 flex-1 space-y-6">
          <TextField
            label={t('segment_name')}
            maxLength={NAME_MAX}
            error={tried && name.trim() === '' ? t('fault_name') : undefined}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          {nameFault ? <p className="-mt-5 text-danger-text">{nameFault}</p> : null}
          <GroupFields
            group={draft}
            depth={1}
            building={{
              fields,
              faults: tried ? faults : [],
              isFull: countConditions(draft) >= SEGMENT_CONDITIONS_MAX,
              change: (id, change) => setDraft((before) => withPart(before, id, change)),
            }}
          />
          {save.error && !nameFault ? <ErrorNote error={save.error} title={base('not_saved')} /> : null}
        </div>
        <div className="min-w-0 space-y-4 lg:w-80 lg:shrink-0">
          <SegmentPreview rule={rule} />
          {rule ? (
            <p className="wrap-anywhere text-soft">{t('rule_said', { rule: ruleSentence(rule) })}</p>
          ) : null}
        </div>
      </div>
      <LeaveGuard dirty={name !== opened.name || draft !== opened.draft} />
      {segment ? (
        <DeleteSegment segment={segment} open={deleting} onClose={() => setDeleting(false)} />
      ) : null}
    </Page>
  );
}
