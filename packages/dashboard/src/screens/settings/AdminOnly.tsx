import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsAdmin, useMe } from '../../desk/DeskContext.tsx';
import { BY_KEYBOARD } from '../../ui/by-keyboard.ts';
import { Callout } from '../../ui/States.tsx';
import { t } from './t.ts';

/**
 * Tells agents that they may not change the contents, and disables them.
 * @param may whether the agent may, or the permission that a custom role needs for it; without, it is left to admins
 */
export function AdminOnly({ may, children }: { may?: Permission | boolean; children: ReactNode }) {
  const admin = useIsAdmin();
  const { agent, permissions } = useMe();
  if (admin || may === true || (may && permissions.includes(may))) return children;
  return (
    <>
      {/* Else nothing on a page of which all is off could be reached, and it not be scrolled by keyboard. */}
      <div {...BY_KEYBOARD} className="mb-6 rounded-lg">
        <Callout icon={<Info aria-hidden />}>{t(agent.custom_role ? 'role_only' : 'admin_only')}</Callout>
      </div>
      <fieldset disabled className="contents">
        {children}
      </fieldset>
    </>
  );
}
