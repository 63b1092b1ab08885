import type { Agent, Invitation, Role } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail, Plus, ShieldOff, Trash2, UserCog } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { useIsAdmin, useMe } from '../../desk/DeskContext.tsx';
import { seenWord, useSeenPresence } from '../../desk/presence.ts';
import { agentsQuery } from '../../queries.ts';
import { dateOf } from '../../times.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyBox } from '../../ui/Copy.tsx';
import { Confirm, Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Face } from '../../ui/Face.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Page, Rows, Section } from '../../ui/Page.tsx';
import { Badge, Callout, ListBones } from '../../ui/States.tsx';
import { complain, say } from '../../ui/toast-store.ts';
import { count } from '../../words.ts';
import { TwoFactorRule } from './TwoFactorRule.tsx';

const ROLE_WORDS: Record<Role, string> = { admin: 'Admin', agent: 'Agent' };

/** Who works at this desk. */
export function TeamSettings() {
  const { data, error, refetch } = useQuery(agentsQuery);
  const [inviting, setInviting] = useState(false);
  const admin = useIsAdmin();
  const limit = data?.agent_limit ?? null;
  return (
    <Page
      place="settings team"
      title="Team"
      intro={
        data
          ? `${count(data.agents.length, 'agent')}${limit === null ? '' : ` of ${limit} in your plan`}. Admins change settings; everybody answers chats.`
          : undefined
      }
      actions={
        admin ? (
          <Button
            look="primary"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setInviting(true)}
          >
            Invite
          </Button>
        ) : null
      }
    >
      {error && !data ? (
        <ErrorNote error={error} title="The team could not be loaded." onRetry={() => void refetch()} />
      ) : data ? (
        <>
          <TwoFactorRule />
          <Section title="Agents">
            <Rows label="Agents">
              {data.agents.map((agent) => (
                <AgentRow key={agent.id} agent={agent} alone={data.agents.length === 1} />
              ))}
            </Rows>
          </Section>
          {data.invitations.length > 0 ? (
            <Section title="Invitations" intro="Not accepted yet.">
              <Rows label="Invitations">
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
  const presence = useSeenPresence()(agent.id);
  const own = agent.id === me.agent.id;
  const other: Role = agent.role === 'admin' ? 'agent' : 'admin';
  const setRole = useMutation({
    mutationFn: () => call('agents.set_role', { id: agent.id, role: other }),
    onSuccess: refresh,
    onError: (error) => complain('The role was not changed', error),
  });
  const reset = useMutation({
    mutationFn: () => call('agents.reset_two_factor', { id: agent.id }),
    onSuccess: async () => {
      await refresh();
      setResetting(false);
      say(`${agent.name} can sign in with the password alone.`);
    },
  });
  const remove = useMutation({
    mutationFn: () => call('agents.remove', { id: agent.id }),
    onSuccess: async () => {
      await refresh();
      say(`${agent.name} was removed.`);
    },
  });
  return (
    <li className="flex items-center gap-3 py-2.5 ps-4 pe-3">
      <Face kind="agent" name={agent.name} picture={agent.picture_url} presence={presence} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          <bdi>{agent.name}</bdi>
          {own ? <span className="font-normal text-soft"> (you)</span> : null}
        </p>
        <p className="truncate text-soft text-xs">
          {agent.email} · {seenWord(presence).toLowerCase()}
        </p>
      </div>
      {agent.two_factor ? <Badge tone="good">2-factor</Badge> : null}
      <Badge tone={agent.role === 'admin' ? 'accent' : 'plain'}>{ROLE_WORDS[agent.role]}</Badge>
      <div className={alone ? 'hidden' : 'w-8 max-md:w-10'}>
        {admin && !own ? (
          <Menu
            label={`More for ${agent.name}`}
            items={[
              {
                label: other === 'admin' ? 'Make an admin' : 'Make an agent',
                icon: <UserCog aria-hidden />,
                onSelect: () => setRole.mutate(),
              },
              ...(agent.two_factor
                ? [
                    {
                      label: 'Reset two-factor sign-in',
                      icon: <ShieldOff aria-hidden />,
                      onSelect: () => setResetting(true),
                    },
                  ]
                : []),
              {
                label: 'Remove from the team',
                icon: <Trash2 aria-hidden />,
                danger: true,
                onSelect: () => setRemoving(true),
              },
            ]}
          />
        ) : null}
      </div>
      <Confirm
        open={resetting}
        onClose={() => setResetting(false)}
        title={`Reset the two-factor sign-in of ${agent.name}?`}
        action="Reset"
        busy={reset.isPending}
        error={reset.error}
        onConfirm={() => reset.mutate()}
      >
        For somebody who has lost their phone and their backup codes: be sure that it is them who ask. They
        are signed out everywhere, and their password alone signs them in until they set it up again.
      </Confirm>
      <Confirm
        open={removing}
        onClose={() => setRemoving(false)}
        title={`Remove ${agent.name} from the team?`}
        action="Remove"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        They are signed out at once. What they wrote stays in the chats; chats that they have can be taken
        over.
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
        <p className="truncate font-medium">{invitation.email}</p>
        <p className="text-soft text-xs">
          {ROLE_WORDS[invitation.role]} · good until {dateOf(invitation.expires_utc)}
        </p>
      </div>
      {admin ? (
        <Button small look="danger-quiet" onClick={() => setRevoking(true)}>
          Withdraw
        </Button>
      ) : null}
      <Confirm
        open={revoking}
        onClose={() => setRevoking(false)}
        title={`Withdraw the invitation of ${invitation.email}?`}
        action="Withdraw"
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate()}
      >
        The link that they have stops working. You can invite them again.
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
        onClose={onClose}
        title="Pass this link on"
        foot={
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <p className="mb-3 text-soft">
          Send it to <span className="font-medium text-text">{invite.data.invitation.email}</span> yourself.
          It is shown only now, works once, and is good until {dateOf(invite.data.invitation.expires_utc)}.
        </p>
        <CopyBox text={invite.data.url} label="Copy the link" wrap />
      </Dialog>
    );
  }
  const error = invite.error instanceof ApiError ? invite.error : undefined;
  const isFull = error?.code === 'plan_limit';
  return (
    <FormDialog
      title="Invite to the team"
      action="Make the link"
      failure="Nobody was invited."
      save={isFull ? { ...invite, error: null } : invite}
      fields={['email']}
      onClose={onClose}
    >
      <TextField
        label="E-mail"
        type="email"
        required
        autoFocus
        value={email}
        error={error?.issue('email')}
        onChange={(event) => setEmail(event.target.value)}
      />
      <SelectField
        label="Role"
        hint={
          role === 'admin'
            ? 'May change every setting and remove people.'
            : 'Answers chats and writes articles.'
        }
        value={role}
        onChange={(event) => setRole(event.target.value as Role)}
      >
        <option value="agent">Agent</option>
        <option value="admin">Admin</option>
      </SelectField>
      {isFull ? (
        <Callout tone="warn" icon={<UserCog aria-hidden />}>
          <p className="font-medium">Your plan is full.</p>
          <p>{error.message}</p>
        </Callout>
      ) : null}
    </FormDialog>
  );
}
