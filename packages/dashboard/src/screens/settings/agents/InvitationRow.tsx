import type { Invitation, OutputOf } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { dateOf } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t } from './t.ts';
import { roleWord, useTeamRefresh } from './team.ts';

/** The invitation's state in words, with what became of its email. */
function stateOf({ state, mail, expires_utc: expires, accepted_utc: accepted, role }: Invitation): string {
  if (accepted) return t('accepted', { role: roleWord(role), date: dateOf(accepted) });
  const date = dateOf(expires);
  const until = t(state === 'expired' ? 'expired' : 'until', { role: roleWord(role), date });
  return mail === 'none' ? until : `${until} · ${t(`mail_${mail}`)}`;
}

interface InvitationRowProps {
  invitation: Invitation;
  /** Shows the new link. */
  onResent: (made: OutputOf<'agents.invite'>) => void;
}

/** An invitation; until it is accepted, an admin can send it again or withdraw it. */
export function InvitationRow({ invitation, onResent }: InvitationRowProps) {
  const admin = useIsAdmin();
  const refresh = useTeamRefresh();
  const { email, role } = invitation;
  const resend = useMutation({
    mutationFn: () => call('agents.invite', { email, role }),
    onSuccess: async (made) => {
      await refresh();
      onResent(made);
    },
    onError: (error) => toast.error(t('invite_failed'), error),
  });
  const [revoking, setRevoking] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-3 py-2.5 ps-4 pe-3">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-lg border border-control border-dashed text-soft">
        <Mail aria-hidden className="size-4" />
      </span>
      <div className="min-w-40 flex-1">
        <p className={cx(LINE, 'font-medium')}>{invitation.email}</p>
        <p className="text-soft text-xs">{stateOf(invitation)}</p>
      </div>
      {admin && invitation.state !== 'accepted' ? (
        <div className="ms-auto flex gap-2">
          <Button
            small
            busy={resend.isPending}
            aria-label={t('resend_label', { email: invitation.email })}
            onClick={() => resend.mutate()}
          >
            {t('resend')}
          </Button>
          <Button small look="danger-quiet" onClick={() => setRevoking(true)}>
            {t('withdraw')}
          </Button>
        </div>
      ) : null}
      <ConfirmAction
        open={revoking}
        onClose={() => setRevoking(false)}
        title={t('withdraw_ask', { email: invitation.email })}
        action={t('withdraw')}
        run={() => call('agents.revoke_invitation', { id: invitation.id })}
        onDone={refresh}
      >
        {t('withdraw_hint')}
      </ConfirmAction>
    </li>
  );
}
