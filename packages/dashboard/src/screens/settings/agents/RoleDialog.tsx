import type { Agent } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { rolesQuery } from '../../../queries.ts';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t } from './t.ts';
import { roleWord, useTeamRefresh } from './team.ts';

/** The value of a role in the list: `admin`, `agent`, or a custom role's id. */
const choiceOf = ({ role, custom_role }: Agent): string => (custom_role ? String(custom_role.id) : role);

/** Gives an agent another role, a built-in or a custom one. */
export function RoleDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { data } = useQuery(rolesQuery);
  const refresh = useTeamRefresh();
  const roles = data?.roles ?? [];
  const form = useForm({
    initial: { role: choiceOf(agent) },
    save: ({ role }) =>
      call('agents.set_role', {
        id: agent.id,
        role: role === 'admin' ? 'admin' : 'agent',
        custom_role_id: role === 'admin' || role === 'agent' ? null : Number(role),
      }),
    onSaved: async () => {
      await refresh();
      toast.success(t('role_changed', { name: agent.name }));
      onClose();
    },
  });
  const { role } = form.values;
  const custom = roles.find(({ id }) => String(id) === role);
  const hint = role === 'admin' ? t('admin_hint') : role === 'agent' ? t('agent_hint') : custom?.description;
  return (
    <FormDialog
      title={t('role_title', { name: agent.name })}
      action={t('role_action')}
      failure={t('role_failed')}
      form={form}
      onClose={onClose}
    >
      <SelectField
        label={t('role')}
        {...(hint ? { hint } : {})}
        {...form.text('role')}
        options={[
          { value: 'agent', label: roleWord('agent') },
          { value: 'admin', label: roleWord('admin') },
          ...roles.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
    </FormDialog>
  );
}
