import { useQueryClient } from '@tanstack/react-query';
import { signOut } from '../../auth.ts';
import { meQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { complain } from '../../ui/toast-store.ts';
import { TwoFactorSetup } from '../settings/TwoFactorSetup.tsx';
import { Door } from './Door.tsx';

/** The team wants a code of everybody: nothing else is open before it is set up. */
export function EnrolScreen() {
  const client = useQueryClient();
  return (
    <Door title="Set up two-factor sign-in" intro="Your team requires it. Then your desk opens.">
      <TwoFactorSetup onDone={() => void client.invalidateQueries({ queryKey: meQuery.queryKey })} />
      <Button
        look="quiet"
        className="-ms-4 mt-4"
        onClick={() => void signOut().catch((error) => complain('You are still signed in', error))}
      >
        Sign out
      </Button>
    </Door>
  );
}
