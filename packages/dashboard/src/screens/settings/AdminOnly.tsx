import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { Callout } from '../../ui/States.tsx';
import { t } from './t.ts';

/** Says to agents that only admins may change what follows, and switches it off for them. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const admin = useIsAdmin();
  if (admin) return children;
  return (
    <>
      <div className="mb-6">
        <Callout icon={<Info aria-hidden />}>{t('admin_only')}</Callout>
      </div>
      <fieldset disabled className="contents">
        {children}
      </fieldset>
    </>
  );
}
