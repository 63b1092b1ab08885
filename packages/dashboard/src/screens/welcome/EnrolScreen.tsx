import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { signOut } from '../../auth.ts';
import { meQuery } from '../../queries.ts';
import { tCommon } from '../../t-common.ts';
import { Button } from '../../ui/Button.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { AddPasskey } from '../settings/account/AddPasskey.tsx';
import { hasPasskeys } from '../settings/account/passkeys.ts';
import { TwoFactorSetup } from '../settings/account/TwoFactorSetup.tsx';
import { Door } from './Door.tsx';
import { t } from './t.ts';

/** The site requires two-factor sign-in: nothing else is available until it is set up. */
export function EnrolScreen() {
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const goOn = (): void => void client.invalidateQueries({ queryKey: meQuery.queryKey });
  return (
    <Door title={t('enrol_title')} intro={t('enrol_hint')}>
      <TwoFactorSetup onDone={goOn} />
      {hasPasskeys() ? (
        <Button
          look="quiet"
          className="-ms-4 mt-4"
          icon={<KeyRound aria-hidden className="size-4" />}
          onClick={() => setAdding(true)}
        >
          {t('enrol_passkey')}
        </Button>
      ) : null}
      {adding ? <AddPasskey onClose={() => setAdding(false)} onAdded={goOn} /> : null}
      <Button
        look="quiet"
        className="-ms-4 mt-4"
        onClick={() => void signOut().catch((error) => toast.error(tCommon('sign_out_failed'), error))}
      >
        {tCommon('sign_out')}
      </Button>
    </Door>
  );
}
