import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { giveCode, startTwoFactor, type TwoFactorStart } from '../../../account.ts';
import { FormError } from '../../../forms/FormError.tsx';
import { type FormState, useForm } from '../../../forms/use-form.ts';
import { meQuery } from '../../../queries.ts';
import { tCommon } from '../../../t-common.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyBox } from '../../../ui/CopyBox.tsx';
import { cx } from '../../../ui/classes.ts';
import { CodeField } from '../../../ui/forms/CodeField.tsx';
import { BackupCodes } from './BackupCodes.tsx';
import { PasswordField } from './PasswordField.tsx';
import { QrCode } from './QrCode.tsx';
import { t } from './t.ts';

const GROUPS_OF_FOUR = /.{1,4}/g;

interface TwoFactorSetupProps {
  onDone: () => void;
  /** Unset if the site requires it. */
  onCancel?: () => void;
}

/** Password, then QR code and first code, then backup codes. */
export function TwoFactorSetup({ onDone, onCancel }: TwoFactorSetupProps) {
  const client = useQueryClient();
  const start = useForm({
    initial: { password: '' },
    save: ({ password }) => startTwoFactor(password),
  });
  const [proven, setProven] = useState(false);
  const prove = useForm({
    initial: { code: '' },
    save: ({ code }) => giveCode(code),
    onSaved: () => setProven(true),
    onFailed: () => {
      prove.set({ code: '' });
    },
  });
  const finish = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: meQuery.queryKey });
    onDone();
  };
  if (start.saved && proven) {
    return (
      <div className="space-y-4">
        <p className="font-medium">{t('set_up_done')}</p>
        <BackupCodes codes={start.saved.backupCodes} />
        <Button look="primary" onClick={() => void finish()}>
          {t('codes_kept')}
        </Button>
      </div>
    );
  }
  if (start.saved) {
    return (
      <Step action={t('turn_on')} form={prove} failure={t('not_on')} onCancel={onCancel}>
        <Secret start={start.saved} />
        <CodeField value={prove.values.code} onChange={(code) => prove.set({ code })} />
      </Step>
    );
  }
  return (
    <Step action={t('go_on')} form={start} failure={t('nothing_changed')} onCancel={onCancel}>
      <p className="text-soft">{t('app_hint')}</p>
      <PasswordField {...start.text('password')} />
    </Step>
  );
}

interface StepProps {
  action: string;
  form: FormState;
  failure: string;
  onCancel: (() => void) | undefined;
  children: ReactNode;
}

function Step({ action, form, failure, onCancel, children }: StepProps) {
  return (
    <form onSubmit={form.submit} className="space-y-4">
      {children}
      <FormError form={form} title={failure} />
      <div className={cx('flex gap-2', onCancel && 'justify-end')}>
        {onCancel ? <Button onClick={onCancel}>{tCommon('cancel')}</Button> : null}
        <Button type="submit" look="primary" busy={form.saving}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/** For a camera, and for typing without one. */
function Secret({ start }: { start: TwoFactorStart }) {
  const secret = new URL(start.totpURI).searchParams.get('secret') ?? '';
  return (
    <>
      <p className="text-soft">{t('scan')}</p>
      <QrCode text={start.totpURI} label={t('qr_label')} />
      <div>
        <p className="mb-1 text-soft">{t('key_hint')}</p>
        <CopyBox wrap text={(secret.match(GROUPS_OF_FOUR) ?? []).join(' ')} label={t('key_copy')} />
      </div>
    </>
  );
}
