import type { Agent, Invitation, Role } from '@foyer/protocol';
import { EMAIL_MAX } from '@foyer/protocol/bounds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Mail, Plus, ShieldOff, Trash2, UserCog } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../../../api.ts';
import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { seenWord, useSeenPresence } from '../../../desk/presence.ts';
import { agentsQuery } from '../../../queries.ts';
import { dateOf } from '../../../times.ts';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { CopyBox } from '../../../ui/Copy.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { Confirm, Dialog } from '../../../ui/Dialog.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Face } from '../../../ui/Face.tsx';
import { SelectField, TextField } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { Page, Rows, Section } from '../../../ui/Page.tsx';
import { Badge, Callout, ListBones } from '../../../ui/States.tsx';
import { complain, say } from '../../../ui/toast-store.ts';
import { TwoFactorRule } from './TwoFactorRule.tsx';
import { t } from './t.ts';
import { usePictureRemoval } from './use-picture-removal.tsx';

const roleWord = (role: Role): string => t(`role_${role}`);

const sizeWords = (count: number, limit: number | null): string =>
  limit === null ? t('intro', { count }) : t('intro_limit', { count, limit });

/** Who works at this desk. */
export function TeamSettings() {
  const { data, error, refetch } = useQuery(agentsQuery);
  const [inviting, setInviting] = useState(false);
  const admin = useIsAdmin();
  const limit = data?.agent_limit ?? null;
  const isFull = data !== undefined && limit !== null && data.agents.length >= limit;
  return (
    <Page
      place="settings team"
      title={t('title')}
      intro={data ? sizeWords(data.agents.length, data.agent_limit) : undefined}
      actions={
        !admin ? null : isFull ? (
          <Link to="/settings/plan" className={buttonLook()}>
            {t('full_see')}
          </Link>
        ) : (
          <Button
            look="primary"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setInviting(true)}
          >
            {t('invite')}
          </Button>
        )
      }
    >
      {error && !data ? (
        <ErrorNote error={error} title={t('failed')} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          {admin && isFull ? (
            <Callout tone="plain" icon={<UserCog aria-hidden />}>
              <p className="font-medium">{t('full')}</p>
              <p>{t('full_hint', { count: limit })}</p>
            </Callout>
          ) : null}
          <TwoFactorRule />
          <Section title={t('agents')}>
            <Rows label={t('agents')}>
              {data.agents.map((agent) => (
                <AgentRow key={agent.id} agent={agent} alone={data.agents.length === 1} />
              ))}
            </Rows>
          </Section>
          {data.invitations.length > 0 ? (
            <Section title={t('invitations')} intro={t('invitations_intro')}>
              <Rows label={t('invitations')}>
                {data.invitations.map((invitation) => (
                  <InvitationRow key={invitation.id} invitation={invitation} />
                ))}
              </Rows>
            </Section>
          ) : null}
        </>
      ) : (
        <ListBones rows={3} />
      )}
      {inviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </Page>
  );
}

function useTeamRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: agentsQuery.queryKey });
}

/** `alone`: nobody else is there whose row would have a menu. */
function AgentRow({ agent, alone }: { agent: Agent; alone: boolean }) {
  const me = useMe();
  const admin = useIsAdmin();
  const [removing, setRemoving] = useState(false);
  const [resetting, setResetting] = useState(false);
  const refresh = useTeamRefresh();
  const pictureRemoval = usePictureRemoval(agent);
  const presence = useSeenPresence()(agent.id);
  const own = agent.id === me.agent.id;
  const other: Role = agent.role === 'admin' ? 'agent' : 'admin';
  const setRole = useMutation({
    mutationFn: () => call('agents.set_role', { id: agent.id, role: other }),
    onSuccess: refresh,
    onError: (error) => complain(t('role_failed'), error),
  });
  const reset = useMutation({
    mutationFn: () => call('agents.reset_two_factor', { id: agent.id }),
    onSuccess: async () => {
      await refresh();
      setResetting(false);
      say(t('reset_done', { name: agent.name }));
    },
  });
  const remove = useMutation({
    mutationFn: () => call('agents.remove', { id: agent.id }),
    onSuccess: async () => {
      await refresh();
      say(t('removed', { name: agent.name }));
    },
  });
  return (
    <li className="flex items-center gap-3 py-2.5 ps-4 pe-3">
      <Face kind="agent" name={agent.name} picture={agent.picture_url} presence={presence} />
      <div className="min-w-0 flex-1">
        <p className={cx(LINE, 'font-medium')}>
          <bdi>{agent.name}</bdi>
          {own ? <span className="font-normal text-soft"> {t('you')}</span> : null}
        </p>
        <p className={cx(LINE, 'text-soft text-xs')}>
          {agent.email} · {seenWord(presence).toLowerCase()}
        </p>
      </div>
      {agent.two_factor ? <Badge tone="good">{t('two_factor_badge')}</Badge> : null}
      <Badge tone={agent.role === 'admin' ? 'accent' : 'plain'}>{roleWord(agent.role)}</Badge>
      <div className={alone ? 'hidden' : 'w-8 max-md:w-10'}>
        {admin && !own ? (
          <Menu
            label={t('more', { name: agent.name })}
            items={[
              {
                label: other === 'admin' ? t('make_admin') : t('make_agent'),
                icon: <UserCog aria-hidden />,
                onSelect: () => setRole.mutate(),
              },
              ...(agent.two_factor
                ? [
                    {
                      label: t('reset_two_factor'),
                      icon: <ShieldOff aria-hidden />,
                      onSelect: () => setResetting(true),
                    },
                  ]
                : []),
              ...pictureRemoval.items,
              {
                label: t('remove_from_team'),
                icon: <Trash2 aria-hidden />,
                danger: true,
                onSelect: () => setRemoving(true),
              },
            ]}
          />
        ) : null}
      </div>
      {pictureRemoval.question}
      <Confirm
        open={resetting}
        onClose={() => setResetting(false)}
        title={t('reset_ask', { name: agent.name })}
        action={t('reset')}
        busy={reset.isPending}
        error={reset.error}
        onConfirm={() => reset.mutate()}
      >
        {t('reset_hint')}
      </Confirm>
      <Confirm
        open={removing}
        onClose={() => setRemoving(false)}
        title={t('remove_ask', { name: agent.name })}
        action={t('remove')}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        {t('remove_hint')}
      </Confirm>
    </li>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const admin = useIsAdmin();
  const refresh = useTeamRefresh();
  const [revoking, setRevoking] = useState(false);
  const revoke = useMutation({
    mutationFn: () => call('agents.revoke_invitation', { id: invitation.id }),
    onSuccess: refresh,
  });
  return (
    <li className="flex items-center gap-3 py-2.5 ps-4 pe-3">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-lg border border-control border-dashed text-soft">
        <Mail aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <p className={cx(LINE, 'font-medium')}>{invitation.email}</p>
        <p className="text-soft text-xs">
          {t('until', { role: roleWord(invitation.role), date: dateOf(invitation.expires_utc) })}
        </p>
      </div>
      {admin ? (
        <Button small look="danger-quiet" onClick={() => setRevoking(true)}>
          {t('withdraw')}
        </Button>
      ) : null}
      <Confirm
        open={revoking}
        onClose={() => setRevoking(false)}
        title={t('withdraw_ask', { email: invitation.email })}
        action={t('withdraw')}
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate()}
      >
        {t('withdraw_hint')}
      </Confirm>
    </li>
  );
}

function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('agent');
  const refresh = useTeamRefresh();
  const invite = useMutation({
    mutationFn: () => call('agents.invite', { email, role }),
    onSuccess: refresh,
  });
  if (invite.data) {
    return (
      <Dialog
        open
        holds
        onClose={onClose}
        title={t('link_title')}
        foot={
          <Button look="primary" onClick={onClose}>
            {t('done')}
          </Button>
        }
      >
        <p className="mb-3 text-soft">
          {t.rich('link_hint', {
            email: <span className="font-medium text-text">{invite.data.invitation.email}</span>,
            date: dateOf(invite.data.invitation.expires_utc),
          })}
        </p>
        <CopyBox text={invite.data.url} label={t('link_copy')} wrap />
      </Dialog>
    );
  }
  const error = invite.error instanceof ApiError ? invite.error : undefined;
  const isFull = error?.code === 'plan_limit';
  return (
    <FormDialog
      title={t('invite_title')}
      action={t('invite_action')}
      failure={t('invite_failed')}
      save={isFull ? { ...invite, error: null } : invite}
      fields={['email']}
      onClose={onClose}
    >
      <TextField
        label={t('email')}
        type="email"
        required
        autoFocus
        maxLength={EMAIL_MAX}
        value={email}
        error={error?.issue('email')}
        onChange={(event) => setEmail(event.target.value)}
      />
      <SelectField
        label={t('role')}
        hint={role === 'admin' ? t('admin_hint') : t('agent_hint')}
        value={role}
        onChange={(event) => setRole(event.target.value as Role)}
      >
        <option value="agent">{roleWord('agent')}</option>
        <option value="admin">{roleWord('admin')}</option>
      </SelectField>
      {isFull ? (
        <Callout tone="warn" icon={<UserCog aria-hidden />}>
          <p className="font-medium">{t('full')}</p>
          <p>{error.message}</p>
        </Callout>
      ) : null}
    </FormDialog>
  );
}
