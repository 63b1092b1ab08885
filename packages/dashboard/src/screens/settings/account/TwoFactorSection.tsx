import { useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { Suspense, useState } from 'react';
import { endTwoFactor, renewBackupCodes } from '../../../account.ts';
import { useMe } from '../../../desk/DeskContext.tsx';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { lazyPart } from '../../../lazy-part.ts';
import { meQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { Section } from '../../../ui/Page.tsx';
import { Badge } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { BackupCodes } from './BackupCodes.tsx';
import { PasswordField } from './PasswordField.tsx';
import { t } from './t.ts';

const TwoFactorSetup = lazyPart(() => import('./TwoFactorSetup.tsx'), 'TwoFactorSetup');

type Open = 'setup' | 'turn-off' | 'codes' | null;

/** The agent's two-factor sign-in. */
export function TwoFactorSection() {
  const { agent, site } = useMe();
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  return (
    <Section
      title={t('two_factor')}
      intro={t('two_factor_intro')}
      actions={agent.two_factor ? <Badge tone="good">{t('two_factor_on')}</Badge> : null}
    >
      <div className="flex flex-wrap gap-2">
        {agent.two_factor ? (
          <>
            <Button onClick={() => setOpen('codes')}>{t('codes_new')}</Button>
            <Button look="danger-quiet" onClick={() => setOpen('turn-off')}>
              {site.two_factor_required ? t('phone_other') : t('turn_off')}
            </Button>
          </>
        ) : (
          <Button icon={<ShieldCheck aria-hidden className="size-4" />} onClick={() => setOpen('setup')}>
            {t('set_up')}
          </Button>
        )}
      </div>
      {open === 'setup' ? (
        <Dialog open holds onClose={close} title={t('set_up_title')}>
          <Suspense>
            <TwoFactorSetup onDone={close} onCancel={close} />
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
  const form = useForm({
    initial: { password: '' },
    save: ({ password }) => endTwoFactor(password),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
      onClose();
      toast.success(t('off'));
    },
  });
  return (
    <FormDialog
      title={required ? t('phone_other_ask') : t('turn_off_ask')}
      action={required ? t('go_on') : t('turn_off')}
      failure={t('still_on')}
      disabled={form.values.password === ''}
      form={form}
      onClose={onClose}
    >
      <p className="text-soft">{required ? t('phone_other_hint') : t('turn_off_hint')}</p>
      <PasswordField {...form.text('password')} />
    </FormDialog>
  );
}

function NewCodes({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { password: '' },
    save: ({ password }) => renewBackupCodes(password),
  });
  if (form.saved) {
    return (
      <Dialog
        open
        holds
        onClose={onClose}
        title={t('codes_yours')}
        foot={
          <Button look="primary" onClick={onClose}>
            {t('codes_kept')}
          </Button>
        }
      >
        <BackupCodes codes={form.saved} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t('codes_ask')}
      action={t('codes_make')}
      failure={t('codes_failed')}
      disabled={form.values.password === ''}
      form={form}
      onClose={onClose}
    >
      <p className="text-soft">{t('codes_old')}</p>
      <PasswordField {...form.text('password')} />
    </FormDialog>
  );
}
