import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { giveCode, startTwoFactor, type TwoFactorStart } from '../../../account.ts';
import { meQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { CodeField } from '../../../ui/CodeField.tsx';
import { CopyBox } from '../../../ui/Copy.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { BackupCodes } from './BackupCodes.tsx';
import { PasswordField } from './PasswordField.tsx';
import { QrCode } from './QrCode.tsx';
import { t } from './t.ts';

const GROUPS_OF_FOUR = /.{1,4}/g;

/** Password, then the QR code and a first code, then the backup codes. */
export function TwoFactorSetup({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const start = useMutation({ mutationFn: () => startTwoFactor(password) });
  const prove = useMutation({ mutationFn: () => giveCode(code), onError: () => setCode('') });
  const finish = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: meQuery.queryKey });
    onDone();
  };
  if (start.data && prove.isSuccess) {
    return (
      <div className="space-y-4">
        <p className="font-medium">{t('set_up_done')}</p>
        <BackupCodes codes={start.data.backupCodes} />
        <Button look="primary" onClick={() => void finish()}>
          {t('codes_kept')}
        </Button>
      </div>
    );
  }
  if (start.data) {
    return (
      <Step action={t('turn_on')} save={prove} failure={t('not_on')}>
        <Secret start={start.data} />
        <CodeField value={code} onChange={setCode} />
      </Step>
    );
  }
  return (
    <Step action={t('go_on')} save={start} failure={t('nothing_changed')}>
      <p className="text-soft">{t('app_hint')}</p>
      <PasswordField value={password} onChange={setPassword} error={start.error} />
    </Step>
  );
}

function Step({
  action,
  save,
  failure,
  children,
}: {
  action: string;
  save: { isPending: boolean; error: Error | null; mutate: () => void };
  failure: string;
  children: ReactNode;
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {children}
      {save.error ? <ErrorNote error={save.error} title={failure} /> : null}
      <Button type="submit" look="primary" busy={save.isPending}>
        {action}
      </Button>
    </form>
  );
}

/** For a camera, and to be typed where there is none. */
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
