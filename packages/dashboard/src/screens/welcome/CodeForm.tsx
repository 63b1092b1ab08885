import { SIGN_IN_CODE_MAX } from '@foyer/protocol/values/bounds';
import { useState } from 'react';
import { giveBackupCode, giveCode } from '../../account.ts';
import { FormError } from '../../forms/FormError.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from '../../ui/forms/CodeField.tsx';
import { TextField } from '../../ui/forms/Field.tsx';
import { t } from './t.ts';

/** The second step of the sign-in: an authenticator code or a backup code. */
export function CodeForm({ onIn, onAgain }: { onIn: () => void; onAgain: () => void }) {
  const [backup, setBackup] = useState(false);
  const form = useForm({
    initial: { code: '' },
    save: ({ code }) => (backup ? giveBackupCode(code.trim()) : giveCode(code)),
    onSaved: onIn,
    onFailed: () => {
      form.set({ code: '' });
    },
  });
  const change = (): void => {
    setBackup(!backup);
    form.discard();
  };
  return (
    <form onSubmit={form.submit} className="space-y-4">
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
          {...form.text('code')}
        />
      ) : (
        <CodeField key="code" value={form.values.code} onChange={(code) => form.set({ code })} />
      )}
      <FormError form={form} />
      <Button type="submit" look="primary" className="w-full" busy={form.saving}>
        {form.saving ? t('signing_in') : t('sign_in')}
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
