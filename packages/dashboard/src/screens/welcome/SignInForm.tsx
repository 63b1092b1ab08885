import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { signIn } from '../../account.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextField } from '../../ui/Field.tsx';
import { CodeForm } from './CodeForm.tsx';
import { t } from './t.ts';

/** Asks who one is, in both steps where there are two. */
export function SignInForm({ onCode, onIn }: { onCode: (asked: boolean) => void; onIn: () => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const attempt = useMutation({
    mutationFn: () => signIn(email.trim(), password),
    onSuccess: (wantsCode) => {
      if (wantsCode) onCode(true);
      else onIn();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    attempt.mutate();
  };
  if (attempt.data) {
    return (
      <CodeForm
        onIn={onIn}
        onAgain={() => {
          onCode(false);
          setPassword('');
          attempt.reset();
        }}
      />
    );
  }
  return (
    <form onSubmit={submit} className="space-y-4">
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username"
        required
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={t('password')}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {attempt.error ? <ErrorNote error={attempt.error} /> : null}
      <Button type="submit" look="primary" className="w-full" busy={attempt.isPending}>
        {attempt.isPending ? t('signing_in') : t('sign_in')}
      </Button>
      <p className="text-soft text-xs">{t('forgotten')}</p>
    </form>
  );
}
