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
      title="Sign in"
      intro={
        next && !/^\/app\/(inbox)?$/.test(next)
          ? 'Then you are back where you were. What you wrote is kept.'
          : 'To your desk.'
      }
    >
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {attempt.error ? <ErrorNote error={attempt.error} /> : null}
        <Button type="submit" look="primary" className="w-full" busy={attempt.isPending}>
          {attempt.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
        <p className="text-soft text-xs">
          Forgotten your password? An admin of your team can remove you and invite you again.
        </p>
      </form>
    </Door>
  );
}
