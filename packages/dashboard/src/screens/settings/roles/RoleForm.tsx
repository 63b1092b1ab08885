import { NAME_MAX, ROLE_DESCRIPTION_MAX } from '@foyer/protocol/values/bounds';
import {
  ADMIN_PERMISSIONS,
  AGENT_PERMISSIONS,
  type Permission,
} from '@foyer/protocol/values/sign-in/permissions';
import { FormError } from '../../../forms/FormError.tsx';
import { FormFoot } from '../../../forms/FormFoot.tsx';
import type { Form } from '../../../forms/use-form.ts';
import { TextArea, TextField } from '../../../ui/forms/Field.tsx';
import { Rows, Section } from '../../../ui/Page.tsx';
import { type RoleValues, toggled } from './role-values.ts';
import { t } from './t.ts';

interface RoleFormProps {
  form: Form<RoleValues>;
  isNew?: boolean;
}

/** Name and permissions of a role. */
export function RoleForm({ form, isNew = false }: RoleFormProps) {
  return (
    <form onSubmit={form.submit}>
      <div className="mb-8 space-y-4">
        <TextField
          label={t('name')}
          required
          autoFocus={isNew}
          maxLength={NAME_MAX}
          frame="max-w-120"
          {...form.text('name')}
        />
        <TextArea
          label={t('description')}
          hint={t('description_hint')}
          maxLength={ROLE_DESCRIPTION_MAX}
          frame="max-w-120"
          {...form.text('description')}
        />
      </div>
      <Section title={t('as_agents')} intro={t('as_agents_intro')}>
        <Permissions label={t('as_agents')} form={form} some={AGENT_PERMISSIONS} />
      </Section>
      <Section title={t('as_admins')} intro={t('as_admins_intro')}>
        <Permissions label={t('as_admins')} form={form} some={ADMIN_PERMISSIONS} />
      </Section>
      <FormError form={form} title={t('not_saved')} className="mt-6" />
      <FormFoot form={form} isNew={isNew} disabled={form.values.name.trim() === ''} discard={t('discard')}>
        {t(isNew ? 'create' : 'save')}
      </FormFoot>
    </form>
  );
}

interface PermissionsProps {
  label: string;
  form: Form<RoleValues>;
  some: readonly Permission[];
}

function Permissions({ label, form, some }: PermissionsProps) {
  const { permissions } = form.values;
  return (
    <Rows label={label}>
      {some.map((permission) => (
        <li key={permission}>
          <label className="flex min-h-12 cursor-pointer items-start gap-3 px-4 py-2.5 hover:bg-hover">
            <input
              type="checkbox"
              className="mt-0.5 size-4 shrink-0 accent-accent"
              checked={permissions.includes(permission)}
              onChange={() => form.set({ permissions: toggled(permissions, permission) })}
            />
            <span className="min-w-0 flex-1">
              <span className="block">{t(`may_${permission}`)}</span>
              <span className="block text-soft text-xs">{t(`may_${permission}_hint`)}</span>
            </span>
          </label>
        </li>
      ))}
    </Rows>
  );
}
