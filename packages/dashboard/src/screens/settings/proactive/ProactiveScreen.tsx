import type { ProactiveMessage } from '@foyer/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Megaphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../../api.ts';
import { useMay, useMe } from '../../../desk/DeskContext.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Page } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { DeleteRecord } from '../DeleteRecord.tsx';
import { ProactiveForm } from './ProactiveForm.tsx';
import { proactiveQuery } from './proactive-queries.ts';
import { inputOf, newMessage, valuesOf } from './proactive-values.ts';
import { t } from './t.ts';

const one = getRouteApi('/desk/settings/proactive/$id');
const BACK = '/settings/proactive';
const back = () => ({ to: BACK, label: t('title') }) as const;

function NewMessage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { language } = useMe().site;
  const form = useForm({
    initial: newMessage(language),
    save: (values) => call('proactive_messages.create', inputOf(values)),
    onSaved: async (saved) => {
      await client.invalidateQueries({ queryKey: proactiveQuery.queryKey });
      toast.success(t('created', { name: saved.name }));
      await navigate({ to: BACK, ignoreBlocker: true });
    },
  });
  return (
    <Page place="proactive new" title={t('new')} back={back()}>
      <AdminOnly may="workflow">
        <ProactiveForm form={form} isNew />
      </AdminOnly>
    </Page>
  );
}

/** Creates, changes or deletes a proactive message. Both are one route, which spares the first load a second one. */
export function ProactiveScreen(): ReactNode {
  const { id: messageId } = one.useParams();
  return messageId === 'new' ? <NewMessage /> : <StoredMessage id={Number(messageId)} />;
}

function StoredMessage({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(proactiveQuery);
  const message = data?.items.find((found) => found.id === id);
  if (message) return <OneMessage key={id} message={message} />;
  return (
    <Page place="proactive" title={t('edit_title')} back={back()}>
      {data ? (
        <Empty icon={<Megaphone />} title={t('none_such')}>
          {t('none_such_hint')}
        </Empty>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('failed')} height="h-40" />
      )}
    </Page>
  );
}

function OneMessage({ message }: { message: ProactiveMessage }) {
  const admin = useMay('workflow');
  const client = useQueryClient();
  const form = useForm({
    stored: valuesOf(message),
    save: (values) => call('proactive_messages.update', { id: message.id, ...inputOf(values) }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: proactiveQuery.queryKey });
      toast.success(t('saved'));
    },
  });
  const { id, name, seen, opened, answered } = message;
  return (
    <Page
      place={`proactive ${id}`}
      title={name}
      intro={t('counts', { seen, opened, answered })}
      back={back()}
      actions={admin ? <DeleteMessage message={message} /> : null}
    >
      <AdminOnly may="workflow">
        <ProactiveForm form={form} />
      </AdminOnly>
    </Page>
  );
}

function DeleteMessage({ message: { id, name } }: { message: ProactiveMessage }) {
  return (
    <DeleteRecord
      label={t('delete')}
      title={t('delete_ask', { name })}
      action={t('delete_action')}
      done={t('deleted', { name })}
      run={() => call('proactive_messages.delete', { id })}
      back={BACK}
      listKey={proactiveQuery.queryKey}
    >
      {t('delete_hint')}
    </DeleteRecord>
  );
}
