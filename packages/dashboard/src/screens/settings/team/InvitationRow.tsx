import type { Invitation } from '@foyer/protocol';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { dateOf } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { t } from './t.ts';
import { roleWord, useTeamRefresh } from './team.ts';

/** An invitation that nobody has accepted yet; an admin can withdraw it. */
export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const admin = useIsAdmin();
  const refresh = useTeamRefresh();
  const [revoking, setRevoking] = useState(false);
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
