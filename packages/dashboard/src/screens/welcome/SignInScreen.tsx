import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { signIn } from '../../account.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextField } from '../../ui/Field.tsx';
import { CodeStep } from './CodeStep.tsx';
import { Door } from './Door.tsx';
import { useEnter } from './door-calls.ts';
import { t } from './t.ts';

const route = getRouteApi('/sign-in');

export function SignInScreen() {
  const { next } = route.useSearch();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const enter = useEnter();
  const goOn = (): void => enter(next ?? '/app/inbox');
  const attempt = useMutation({
    mutationFn: () => signIn(email.trim(), password),
    onSuccess: (wantsCode) => {
      if (!wantsCode) goOn();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    attempt.mutate();
  };
  if (attempt.data) {
    return (
      <CodeStep
        onIn={goOn}
        onAgain={() => {
          setPassword('');
          attempt.reset();
        }}
      />
    );
  }
  return (
    <Door
      title={t('sign_in')}
      intro={next && !/^\/app\/(inbox)?$/.test(next) ? t('next_hint') : t('sign_in_hint')}
    >
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
    </Door>
  );
}
