import type { Field } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Archive, ArchiveRestore, ListPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Callout, Empty } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { customFieldsQuery } from '../../fields/fields-query.ts';
import { AdminOnly } from '../AdminOnly.tsx';
import { DeleteRecord } from '../DeleteRecord.tsx';
import { FieldForm } from './FieldForm.tsx';
import { inputOf, newField, valuesOf } from './field-form-values.ts';
import { t } from './t.ts';

const one = getRouteApi('/desk/settings/fields/$id');
const BACK = '/settings/fields';
const back = () => ({ to: BACK, label: t('title') }) as const;

/** Creates a field. */
function NewField() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: newField('tickets'),
    save: (values) => {
      const { applies_to, kind, key } = values;
      return call('fields.create', {
        applies_to,
        kind,
        ...(key.trim() && { key: key.trim() }),
        ...inputOf(values),
      });
    },
    onSaved: async (saved) => {
      await client.invalidateQueries({ queryKey: customFieldsQuery.queryKey });
      toast.success(t('created', { name: saved.name }));
      await navigate({ to: BACK, ignoreBlocker: true });
    },
  });
  return (
    <Page place="field new" title={t('new')} back={back()}>
      <AdminOnly may="workflow">
        <FieldForm form={form} isNew />
      </AdminOnly>
    </Page>
  );
}

/** Creates a field, or changes, archives and deletes one. */
export function FieldScreen(): ReactNode {
  const { id } = one.useParams();
  return id === 'new' ? <NewField /> : <KnownField id={Number(id)} />;
}

function KnownField({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(customFieldsQuery);
  const field = data?.items.find((found) => found.id === id);
  if (field) return <OneField key={id} field={field} />;
  return (
    <Page place="field" title={t('edit_title')} back={back()}>
      {data ? (
        <Empty icon={<ListPlus />} title={t('none_such')}>
          {t('none_such_hint')}
        </Empty>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('failed')} height="h-40" />
      )}
    </Page>
  );
}

function OneField({ field }: { field: Field }) {
  const admin = useMay('workflow');
  const client = useQueryClient();
  const form = useForm({
    stored: valuesOf(field),
    save: (values) => call('fields.update', { id: field.id, ...inputOf(values) }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: customFieldsQuery.queryKey });
      toast.success(t('saved'));
    },
  });
  return (
    <Page
      place={`field ${field.id}`}
      title={field.name}
      back={back()}
      actions={admin ? <FieldActions field={field} /> : null}
    >
      <AdminOnly may="workflow">
        {field.archived_utc ? (
          <div className="mb-6">
            <Callout icon={<Archive aria-hidden />}>{t('archived_hint')}</Callout>
          </div>
        ) : null}
        <FieldForm form={form} />
      </AdminOnly>
    </Page>
  );
}

function FieldActions({ field: { id, name, applies_to, archived_utc } }: { field: Field }) {
  const client = useQueryClient();
  const archive = useMutation({
    mutationFn: (archived: boolean) => call('fields.update', { id, archived }),
    onSuccess: async (_, archived) => {
      await client.invalidateQueries({ queryKey: customFieldsQuery.queryKey });
      toast.success(t(archived ? 'was_archived' : 'was_restored', { name }));
    },
    onError: (error) => toast.error(t('not_saved'), error),
  });
  const Icon = archived_utc ? ArchiveRestore : Archive;
  return (
    <>
      <Button
        busy={archive.isPending}
        icon={<Icon aria-hidden className="size-4" />}
        onClick={() => archive.mutate(archived_utc === null)}
      >
        {t(archived_utc ? 'restore' : 'archive')}
      </Button>
      <DeleteRecord
        label={t('delete')}
        title={t('delete_ask', { name })}
        action={t('delete_action')}
        done={t('deleted', { name })}
        run={() => call('fields.delete', { id })}
        back={BACK}
        listKey={customFieldsQuery.queryKey}
      >
        {t(applies_to === 'people' ? 'delete_hint_people' : 'delete_hint')}
      </DeleteRecord>
    </>
  );
}
