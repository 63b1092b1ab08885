import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { giveCode, startTwoFactor, type TwoFactorStart } from '../../account.ts';
import { meQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from '../../ui/CodeField.tsx';
import { CopyBox } from '../../ui/Copy.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { BackupCodes } from './BackupCodes.tsx';
import { PasswordField } from './PasswordField.tsx';
import { QrCode } from './QrCode.tsx';

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
        <p className="font-medium">Two-factor sign-in is on. Your other devices were signed out.</p>
        <BackupCodes codes={start.data.backupCodes} />
        <Button look="primary" onClick={() => void finish()}>
          I have kept them
        </Button>
      </div>
    );
  }
  if (start.data) {
    return (
      <Step action="Turn on" save={prove} failure="It is not on yet.">
        <Secret start={start.data} />
        <CodeField value={code} onChange={setCode} />
      </Step>
    );
  }
  return (
    <Step action="Go on" save={start} failure="Nothing was changed.">
      <p className="text-soft">
        You need an app that makes codes: the password manager that you have, or one such as Aegis, Google
        Authenticator or 1Password.
      </p>
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
      <p className="text-soft">Scan this with the app, then enter the code that it shows.</p>
      <QrCode text={start.totpURI} label="QR code for your authenticator app" />
      <div>
        <p className="mb-1 text-soft">Without a camera, type this key into the app:</p>
        <CopyBox wrap text={(secret.match(GROUPS_OF_FOUR) ?? []).join(' ')} label="Copy the key" />
      </div>
    </>
  );
}
