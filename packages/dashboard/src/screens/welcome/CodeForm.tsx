import { SIGN_IN_CODE_MAX } from '@foyer/protocol/bounds';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { giveBackupCode, giveCode } from '../../account.ts';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from '../../ui/CodeField.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextField } from '../../ui/Field.tsx';
import { t } from './t.ts';

/** The second step: the code of the phone, or one of the backup codes. */
export function CodeForm({ onIn, onAgain }: { onIn: () => void; onAgain: () => void }) {
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
    <form onSubmit={submit} className="space-y-4">
      <p className="text-soft">{backup ? t('code_backup_hint') : t('code_app_hint')}</p>
      {backup ? (
        <TextField
          key="backup"
          label={t('backup_code')}
          name="backup-code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={SIGN_IN_CODE_MAX}
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
        {attempt.isPending ? t('signing_in') : t('sign_in')}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button small look="quiet" onClick={change}>
          {backup ? t('code_use_app') : t('code_use_backup')}
        </Button>
        <Button small look="quiet" onClick={onAgain}>
          {t('code_again')}
        </Button>
      </div>
      <p className="text-soft text-xs">{t('code_lost')}</p>
    </form>
  );
}
