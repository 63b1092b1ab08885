import type { Segment } from '@foyer/protocol';
import { NAME_MAX, SEGMENT_CONDITIONS_MAX } from '@foyer/protocol/values/bounds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Shapes } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { LeaveGuard } from '../../../forms/LeaveGuard.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { tCommon } from '../../../t-common.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AdminOnly } from '../../settings/AdminOnly.tsx';
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

/** Creates a segment. */
export const NewSegmentScreen = () => <Builder />;

/** Edits a segment. */
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
      <Waiting error={error} retry={refetch} failed={t('segments_not_loaded')} height="h-40" />
    </Page>
  );
}

function draftFrom(segment: Segment | undefined): GroupDraft {
  const draft = segment && draftOf(segment.rule);
  return draft?.type === 'group' ? draft : newGroup('all');
}

/** A segment's name and rule, with errors after the first attempt to save. */
function useSegmentForm(segment: Segment | undefined) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [tried, setTried] = useState(false);
  const [draft] = useState(() => draftFrom(segment));
  const form = useForm({
    initial: { name: segment?.name ?? '', draft },
    save: (values) => {
      const input = { name: values.name.trim(), rule: ruleOf(values.draft) };
      return segment ? call('segments.update', { id: segment.id, ...input }) : call('segments.create', input);
    },
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: ['segments'] });
      void client.invalidateQueries({ queryKey: ['visitors'] });
      toast.success(t('segment_saved'));
      void navigate({ to: '/visitors/segments', ignoreBlocker: true });
    },
  });
  const { values } = form;
  const faults = faultsOf(values.draft);
  const rule = faults.length === 0 ? ruleOf(values.draft) : undefined;
  const hasName = values.name.trim() !== '';
  return {
    form,
    rule,
    faults: tried ? faults : [],
    nameMissing: tried && !hasName,
    trySaving: (): void => {
      setTried(true);
      if (rule && hasName) form.save();
    },
  };
}

/** A rule over attributes and events, with the number of matching visitors beside it. */
function Builder({ segment }: { segment?: Segment }) {
  const [deleting, setDeleting] = useState(false);
  const maySave = useMay('shared');
  const mayDelete = useMay('workflow');
  const segmentForm = useSegmentForm(segment);
  const { form, rule, trySaving } = segmentForm;
  return (
    <Page
      wide
      place={`segment ${segment?.id ?? 'new'}`}
      title={segment?.name ?? t('segment_new')}
      back={{ to: '/visitors/segments', label: t('tab_segments') }}
      actions={
        <>
          {segment && mayDelete ? (
            <Button look="danger-quiet" onClick={() => setDeleting(true)}>
              {t('segment_delete')}
            </Button>
          ) : null}
          {maySave ? (
            <Button look="primary" busy={form.saving} onClick={trySaving}>
              {tCommon('save')}
            </Button>
          ) : null}
        </>
      }
    >
      <div className="flex flex-col gap-6 lg:flex-row">
        <div className="min-w-0 flex-1 space-y-6">
          <AdminOnly may="shared">
            <BuilderFields {...segmentForm} />
          </AdminOnly>
        </div>
        <div className="min-w-0 space-y-4 lg:w-80 lg:shrink-0">
          <SegmentPreview rule={rule} />
          {rule ? (
            <p className="wrap-anywhere text-soft">{t('rule_said', { rule: ruleSentence(rule) })}</p>
          ) : null}
        </div>
      </div>
      <LeaveGuard dirty={form.dirty} />
      {segment ? (
        <DeleteSegment segment={segment} open={deleting} onClose={() => setDeleting(false)} />
      ) : null}
    </Page>
  );
}

function BuilderFields({ form, faults, nameMissing }: ReturnType<typeof useSegmentForm>) {
  const { data: fields } = useQuery(fieldsQuery);
  const { name, draft } = form.values;
  const taken = form.error instanceof ApiError && form.error.code === 'conflict' ? form.error : undefined;
  return (
    <>
      <TextField
        label={t('segment_name')}
        maxLength={NAME_MAX}
        error={nameMissing ? t('fault_name') : undefined}
        value={name}
        onChange={({ target }) => form.set({ name: target.value })}
      />
      {taken ? <p className="-mt-5 text-danger-text">{taken.message}</p> : null}
      <GroupFields
        group={draft}
        depth={1}
        building={{
          fields,
          faults,
          isFull: countConditions(draft) >= SEGMENT_CONDITIONS_MAX,
          change: (id, change) => form.set({ draft: withPart(draft, id, change) }),
        }}
      />
      {form.error && !taken ? <ErrorNote error={form.error} title={tCommon('not_saved')} /> : null}
    </>
  );
}
