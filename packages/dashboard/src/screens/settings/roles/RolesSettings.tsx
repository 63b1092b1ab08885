import type { CustomRole } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, UserCog } from 'lucide-react';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { rolesQuery } from '../../../queries.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { Page, Rows, Section } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { t } from './t.ts';

const NewRole = () => (
  <Link to="/settings/roles/new" className={buttonLook('primary')}>
    <Plus aria-hidden className="size-4" />
    {t('new')}
  </Link>
);

/** The site's own roles, and the two that every site has. */
export function RolesSettings() {
  const admin = useIsAdmin();
  const { data, error, refetch } = useQuery(rolesQuery);
  return (
    <Page
      place="settings roles"
      title={t('title')}
      intro={t('intro')}
      actions={admin && data && data.roles.length > 0 ? <NewRole /> : null}
    >
      {!data ? (
        <Waiting error={error} retry={refetch} failed={t('failed')} rows={3} />
      ) : (
        <AdminOnly>
          {data.roles.length === 0 ? (
            <Empty icon={<UserCog />} title={t('none')} action={admin ? <NewRole /> : null}>
              {t('none_hint')}
            </Empty>
          ) : (
            <Section title={t('own')}>
              <Rows label={t('own')}>
                {data.roles.map((role) => (
                  <RoleRow key={role.id} role={role} />
                ))}
              </Rows>
            </Section>
          )}
          <Section title={t('builtin')}>
            <Rows label={t('builtin')}>
              <BuiltIn name={t('admin')} hint={t('admin_hint')} />
              <BuiltIn name={t('agent')} hint={t('agent_hint')} />
            </Rows>
          </Section>
        </AdminOnly>
      )}
    </Page>
  );
}

const BuiltIn = ({ name, hint }: { name: string; hint: string }) => (
  <li className="px-4 py-2.5">
    <p className="font-medium">{name}</p>
    <p className="text-soft text-xs">{hint}</p>
  </li>
);

function RoleRow({ role }: { role: CustomRole }) {
  const { description, permissions, agent_count } = role;
  return (
    <li className="hover:bg-hover">
      <Link
        to="/settings/roles/$roleId"
        params={{ roleId: String(role.id) }}
        className="-outline-offset-2 flex min-h-14 items-center gap-3 px-4 py-2"
      >
        <span className="min-w-0 flex-1">
          <span className={cx(LINE, 'block font-medium')}>
            <bdi>{role.name}</bdi>
          </span>
          <span className="block truncate text-soft text-xs" dir="auto">
            {description || t('permissions_count', { count: permissions.length })}
          </span>
        </span>
        <span className="tabular shrink-0 text-soft text-xs">
          {t('agents_count', { count: agent_count })}
        </span>
      </Link>
    </li>
  );
}
