import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { BY_KEYBOARD } from '../../ui/by-keyboard.ts';
import { Callout } from '../../ui/States.tsx';
import { t } from './t.ts';

/** Tells agents that only admins may change the contents, and disables them. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const admin = useIsAdmin();
  if (admin) return children;
  return (
    <>
      {/* Else nothing on a page of which all is off could be reached, and it not be scrolled by keyboard. */}
      <div {...BY_KEYBOARD} className="mb-6 rounded-lg">
        <Callout icon={<Info aria-hidden />}>{t('admin_only')}</Callout>
      </div>
      <fieldset disabled className="contents">
        {children}
      </fieldset>
    </>
  );
}
