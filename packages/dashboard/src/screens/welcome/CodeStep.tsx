import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { giveBackupCode, giveCode } from '../../account.ts';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from '../../ui/CodeField.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Door } from './Door.tsx';

/** The second step: the code of the phone, or one of the backup codes. */
export function CodeStep({ onIn, onAgain }: { onIn: () => void; onAgain: () => void }) {
  const [backup, setBackup] = useState(false);
  const [code, setCode] = useState('');
  const attempt = useMutation({
    mutationFn: () => (backup ? giveBackupCode(code.trim()) : giveCode(code)),
    onSuccess: onIn,
    onError: () => setCode(''),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    attempt.mutate();
  };
  const change = (): void => {
    setBackup(!backup);
    setCode('');
    attempt.reset();
  };
  return (
    <Door
      title="Enter your code"
      intro={backup ? 'One of the codes that you kept. Each works once.' : 'The one that your app shows now.'}
    >
      <form onSubmit={submit} className="space-y-4">
        {backup ? (
          <TextField
            key="backup"
            label="Backup code"
            name="backup-code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            required
            autoFocus
            dir="ltr"
            className="font-mono"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        ) : (
          <CodeField key="code" value={code} onChange={setCode} />
        )}
        {attempt.error ? <ErrorNote error={attempt.error} /> : null}
        <Button type="submit" look="primary" className="w-full" busy={attempt.isPending}>
          {attempt.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
        <div className="flex flex-wrap justify-between gap-2">
          <Button small look="quiet" onClick={change}>
            {backup ? 'Use the app’s code' : 'Use a backup code'}
          </Button>
          <Button small look="quiet" onClick={onAgain}>
            Start again
          </Button>
        </div>
        <p className="text-soft text-xs">
          Neither at hand? An admin of your team can reset your second step under Settings, Team.
        </p>
      </form>
    </Door>
  );
}
