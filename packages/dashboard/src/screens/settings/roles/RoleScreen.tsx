import type { CustomRole } from '@foyer/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { UserCog } from 'lucide-react';
import { call } from '../../../api.ts';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { rolesQuery } from '../../../queries.ts';
import { Page } from '../../../ui/Page.tsx';
import { Callout, Empty } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { DeleteRecord } from '../DeleteRecord.tsx';
import { RoleForm } from './RoleForm.tsx';
import { NEW_ROLE, valuesOf } from './role-values.ts';
import { t } from './t.ts';

const one = getRouteApi('/desk/settings/roles/$roleId');
const BACK = '/settings/roles';
const back = () => ({ to: BACK, label: t('title') }) as const;

/** Creates a role. */
export function NewRoleScreen() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: NEW_ROLE,
    save: (values) => call('roles.create', values),
    onSaved: async ({ name }) => {
      await client.invalidateQueries({ queryKey: rolesQuery.queryKey });
      toast.success(t('created', { name }));
      await navigate({ to: BACK, ignoreBlocker: true });
    },
  });
  return (
    <Page place="role new" title={t('new')} back={back()}>
      <AdminOnly>
        <RoleForm form={form} isNew />
      </AdminOnly>
    </Page>
  );
}

/** Changes or deletes a role. */
export function RoleScreen() {
  const id = Number(one.useParams().roleId);
  const { data, error, refetch } = useQuery(rolesQuery);
  const role = data?.roles.find((found) => found.id === id);
  if (role) return <OneRole key={id} role={role} />;
  return (
    <Page place="role" title={t('edit_title')} back={back()}>
      {data ? (
        <Empty icon={<UserCog />} title={t('none_such')}>
          {t('none_such_hint')}
        </Empty>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('failed')} height="h-40" />
      )}
    </Page>
  );
}

function OneRole({ role }: { role: CustomRole }) {
  const admin = useIsAdmin();
  const client = useQueryClient();
  const form = useForm({
    stored: valuesOf(role),
    save: (values) => call('roles.update', { id: role.id, ...values }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: rolesQuery.queryKey });
      toast.success(t('saved'));
    },
  });
  const isUsed = role.agent_count > 0;
  return (
    <Page
      place="role"
      title={role.name}
      back={back()}
      actions={admin && !isUsed ? <DeleteRole role={role} /> : null}
    >
      <AdminOnly>
        {isUsed ? (
          <div className="mb-6">
            <Callout tone="plain" icon={<UserCog aria-hidden />}>
              {t('in_use', { count: role.agent_count })}
            </Callout>
          </div>
        ) : null}
        <RoleForm form={form} />
      </AdminOnly>
    </Page>
  );
}

function DeleteRole({ role: { id, name } }: { role: CustomRole }) {
  return (
    <DeleteRecord
      label={t('delete')}
      title={t('delete_ask', { name })}
      action={t('delete_action')}
      done={t('deleted', { name })}
      run={() => call('roles.delete', { id })}
      back={BACK}
      listKey={rolesQuery.queryKey}
    >
      {t('delete_hint')}
    </DeleteRecord>
  );
}
