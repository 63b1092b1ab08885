import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Bone } from '../../ui/States.tsx';
import { Door } from './Door.tsx';
import { checkSetUp, type NewSite, tokenInAddress, useEnter } from './door-calls.ts';
import { SetupDone } from './SetupDone.tsx';
import { SetupForm } from './SetupForm.tsx';
import { t } from './t.ts';

/** Sets up the first site and admin with the one-time link from the log. */
export function SetupScreen() {
  const [token] = useState(tokenInAddress);
  const [made, setMade] = useState<NewSite | null>(null);
  const check = useQuery({
    queryKey: ['setup', token],
    queryFn: () => checkSetUp(token),
    enabled: token !== '' && made === null,
  });
  if (made !== null) {
    const asksAddress = check.data?.asks_address ?? false;
    return <SetupDone publicKey={made.public_key} baseUrl={made.base_url} asksAddress={asksAddress} />;
  }
  // The form stays if the link is checked again without a response.
  if (check.error && check.data === undefined) {
    return (
      <Door title={t('setup_title')}>
        <ErrorNote error={check.error} title={t('link_unchecked')} onRetry={() => void check.refetch()} />
      </Door>
    );
  }
  if (token === '' || check.data?.valid === false) return <Spent />;
  if (!check.data) {
    return (
      <Door title={t('setup_title')}>
        <Bone className="late h-40" />
      </Door>
    );
  }
  return <SetupForm token={token} asksAddress={check.data.asks_address} onDone={setMade} />;
}

function Spent() {
  const enter = useEnter();
  return (
    <Door title={t('link_spent')} intro={t('link_spent_hint')}>
      <Button look="primary" onClick={() => enter('/app/sign-in')}>
        {t('to_sign_in')}
      </Button>
    </Door>
  );
}
