import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { endTwoFactor, renewBackupCodes } from '../../account.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { meQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Section } from '../../ui/Page.tsx';
import { Badge } from '../../ui/States.tsx';
import { say } from '../../ui/toast-store.ts';
import { BackupCodes } from './BackupCodes.tsx';
import { PasswordField } from './PasswordField.tsx';

const TwoFactorSetup = lazy(() =>
  import('./TwoFactorSetup.tsx').then((part) => ({ default: part.TwoFactorSetup })),
);

type Open = 'set-up' | 'turn-off' | 'codes' | null;

/** My second step at the sign-in. */
export function TwoFactorSection() {
  const { agent, site } = useMe();
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  return (
    <Section
      title="Two-factor sign-in"
      intro="Besides your password, signing in takes a code that an app on your phone shows. A password that somebody has learned is then not enough."
      actions={agent.two_factor ? <Badge tone="good">On</Badge> : null}
    >
      <div className="flex flex-wrap gap-2">
        {agent.two_factor ? (
          <>
            <Button onClick={() => setOpen('codes')}>New backup codes</Button>
            <Button look="danger-quiet" onClick={() => setOpen('turn-off')}>
              {site.two_factor_required ? 'Set up another phone' : 'Turn off'}
            </Button>
          </>
        ) : (
          <Button icon={<ShieldCheck aria-hidden className="size-4" />} onClick={() => setOpen('set-up')}>
            Set up
          </Button>
        )}
      </div>
      {open === 'set-up' ? (
        <Dialog open onClose={close} title="Set up two-factor sign-in">
          <Suspense>
            <TwoFactorSetup onDone={close} />
          </Suspense>
        </Dialog>
      ) : null}
      {open === 'turn-off' ? <TurnOff onClose={close} required={site.two_factor_required} /> : null}
      {open === 'codes' ? <NewCodes onClose={close} /> : null}
    </Section>
  );
}

function TurnOff({ onClose, required }: { onClose: () => void; required: boolean }) {
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const save = useMutation({
    mutationFn: () => endTwoFactor(password),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
      onClose();
      say('Two-factor sign-in is off.');
    },
  });
  return (
    <FormDialog
      title={required ? 'Set up another phone?' : 'Turn off two-factor sign-in?'}
      action={required ? 'Go on' : 'Turn off'}
      failure="It is still on."
      fields={['password']}
      disabled={password === ''}
      save={save}
      onClose={onClose}
    >
      <p className="text-soft">
        {required
          ? 'The phone and the backup codes that you have stop working, and you set up the next one at once: your team requires it.'
          : 'Your password alone signs in then. The backup codes stop working.'}
      </p>
      <PasswordField value={password} onChange={setPassword} error={save.error} />
    </FormDialog>
  );
}

function NewCodes({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const save = useMutation({ mutationFn: () => renewBackupCodes(password) });
  if (save.data) {
    return (
      <Dialog
        open
        onClose={onClose}
        title="Your new backup codes"
        foot={
          <Button look="primary" onClick={onClose}>
            I have kept them
          </Button>
        }
      >
        <BackupCodes codes={save.data} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Make new backup codes?"
      action="Make new codes"
      failure="No codes were made; the ones you have still work."
      fields={['password']}
      disabled={password === ''}
      save={save}
      onClose={onClose}
    >
      <p className="text-soft">The codes that you have now stop working.</p>
      <PasswordField value={password} onChange={setPassword} error={save.error} />
    </FormDialog>
  );
}
