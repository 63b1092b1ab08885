import type { Agent } from '@foyer/protocol';
import { LogOut, ShieldOff, Trash2, UserCog } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { seenWord, useSeenPresence } from '../../../desk/presence.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { Face } from '../../../ui/Face.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { Badge } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { RoleDialog } from './RoleDialog.tsx';
import { t } from './t.ts';
import { roleWord, useTeamRefresh } from './team.ts';
import { usePictureRemoval } from './use-picture-removal.tsx';

/** An agent. `alone`: no other row has a menu, so none reserves space for one. */
export function AgentRow({ agent, alone }: { agent: Agent; alone: boolean }) {
  const me = useMe();
  const admin = useIsAdmin();
  const presence = useSeenPresence()(agent.id);
  const own = agent.id === me.agent.id;
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
      {hasTwoFactors(agent) ? <Badge tone="good">{t('two_factor_badge')}</Badge> : null}
      <Badge tone={agent.role === 'admin' ? 'accent' : 'plain'}>
        {agent.custom_role ? <bdi>{agent.custom_role.name}</bdi> : roleWord(agent.role)}
      </Badge>
      <div className={alone ? 'hidden' : 'w-8 max-md:w-10'}>
        {admin && !own ? <AgentMenu agent={agent} /> : null}
      </div>
    </li>
  );
}

/** A passkey is two factors at once. */
const hasTwoFactors = ({ two_factor, passkeys }: Agent): boolean => two_factor || passkeys > 0;

/** What an admin can do with a colleague. */
function AgentMenu({ agent }: { agent: Agent }) {
  const [asking, setAsking] = useState<'remove' | 'reset' | 'sign-out' | 'role' | null>(null);
  const pictureRemoval = usePictureRemoval(agent);
  const close = (): void => setAsking(null);
  return (
    <>
      <Menu
        label={t('more', { name: agent.name })}
        items={[
          {
            label: t('change_role'),
            icon: <UserCog aria-hidden />,
            onSelect: () => setAsking('role'),
          },
          hasTwoFactors(agent) && {
            label: t('reset_two_factor'),
            icon: <ShieldOff aria-hidden />,
            onSelect: () => setAsking('reset'),
          },
          {
            label: t('sign_out'),
            icon: <LogOut aria-hidden />,
            onSelect: () => setAsking('sign-out'),
          },
          ...pictureRemoval.items,
          {
            label: t('remove_from_team'),
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => setAsking('remove'),
          },
        ]}
      />
      {pictureRemoval.question}
      {asking === 'role' ? <RoleDialog agent={agent} onClose={close} /> : null}
      <ResetTwoFactor agent={agent} open={asking === 'reset'} onClose={close} />
      <SignOutAgent agent={agent} open={asking === 'sign-out'} onClose={close} />
      <RemoveAgent agent={agent} open={asking === 'remove'} onClose={close} />
    </>
  );
}

interface QuestionProps {
  agent: Agent;
  open: boolean;
  onClose: () => void;
}

function ResetTwoFactor({ agent, open, onClose }: QuestionProps) {
  const refresh = useTeamRefresh();
  return (
    <ConfirmAction
      open={open}
      onClose={onClose}
      title={t('reset_ask', { name: agent.name })}
      action={t('reset')}
      run={() => call('agents.reset_two_factor', { id: agent.id })}
      onDone={async () => {
        await refresh();
        onClose();
        toast.success(t('reset_done', { name: agent.name }));
      }}
    >
      {t('reset_hint')}
    </ConfirmAction>
  );
}

function SignOutAgent({ agent, open, onClose }: QuestionProps) {
  return (
    <ConfirmAction
      open={open}
      onClose={onClose}
      title={t('sign_out_ask', { name: agent.name })}
      action={t('sign_out_action')}
      run={() => call('agents.sign_out', { id: agent.id })}
      onDone={() => {
        onClose();
        toast.success(t('sign_out_done', { name: agent.name }));
      }}
    >
      {t('sign_out_hint')}
    </ConfirmAction>
  );
}

function RemoveAgent({ agent, open, onClose }: QuestionProps) {
  const refresh = useTeamRefresh();
  return (
    <ConfirmAction
      open={open}
      onClose={onClose}
      title={t('remove_ask', { name: agent.name })}
      action={t('remove')}
      run={() => call('agents.remove', { id: agent.id })}
      onDone={async () => {
        await refresh();
        toast.success(t('removed', { name: agent.name }));
      }}
    >
      {t('remove_hint')}
    </ConfirmAction>
  );
}
