import type { SlaPolicy } from '@foyer/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Timer } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Page } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { DeleteRecord } from '../DeleteRecord.tsx';
import { SlaForm } from './SlaForm.tsx';
import { slaPoliciesQuery } from './sla-queries.ts';
import { inputOf, NEW_POLICY, valuesOf } from './sla-values.ts';
import { t } from './t.ts';

const one = getRouteApi('/desk/settings/slas/$id');
const BACK = '/settings/slas';
const back = () => ({ to: BACK, label: t('title') }) as const;

function NewPolicy() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: NEW_POLICY,
    save: (values) => call('sla_policies.create', inputOf(values)),
    onSaved: async (saved) => {
      await client.invalidateQueries({ queryKey: slaPoliciesQuery.queryKey });
      toast.success(t('created', { name: saved.name }));
      await navigate({ to: BACK, ignoreBlocker: true });
    },
  });
  return (
    <Page place="sla new" title={t('new')} back={back()}>
      <AdminOnly may="workflow">
        <SlaForm form={form} isNew />
      </AdminOnly>
    </Page>
  );
}

/** Creates, changes or deletes an SLA policy. Both are one route, which spares the first load a second one. */
export function SlaScreen(): ReactNode {
  const { id: policyId } = one.useParams();
  return policyId === 'new' ? <NewPolicy /> : <StoredPolicy id={Number(policyId)} />;
}

function StoredPolicy({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(slaPoliciesQuery);
  const policy = data?.items.find((found) => found.id === id);
  if (policy) return <OnePolicy key={id} policy={policy} />;
  return (
    <Page place="sla" title={t('edit_title')} back={back()}>
      {data ? (
        <Empty icon={<Timer />} title={t('none_such')}>
          {t('none_such_hint')}
        </Empty>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('failed')} height="h-40" />
      )}
    </Page>
  );
}

function OnePolicy({ policy }: { policy: SlaPolicy }) {
  const admin = useMay('workflow');
  const client = useQueryClient();
  const form = useForm({
    stored: valuesOf(policy),
    save: (values) => call('sla_policies.update', { id: policy.id, ...inputOf(values) }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: slaPoliciesQuery.queryKey });
      toast.success(t('saved'));
    },
  });
  return (
    <Page
      place={`sla ${policy.id}`}
      title={policy.name}
      back={back()}
      actions={admin ? <DeletePolicy policy={policy} /> : null}
    >
      <AdminOnly may="workflow">
        <SlaForm form={form} />
      </AdminOnly>
    </Page>
  );
}

function DeletePolicy({ policy: { id, name } }: { policy: SlaPolicy }) {
  return (
    <DeleteRecord
      label={t('delete')}
      title={t('delete_ask', { name })}
      action={t('delete_action')}
      done={t('deleted', { name })}
      run={() => call('sla_policies.delete', { id })}
      back={BACK}
      listKey={slaPoliciesQuery.queryKey}
    >
      {t('delete_hint')}
    </DeleteRecord>
  );
}
