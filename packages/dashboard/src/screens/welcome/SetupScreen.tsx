import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { CheckField, TextField } from '../../ui/Field.tsx';
import { Bone } from '../../ui/States.tsx';
import { Door } from './Door.tsx';
import { checkSetUp, PASSWORD_MIN, setUp, tokenInAddress, useEnter } from './door-calls.ts';
import { SetupDone } from './SetupDone.tsx';

/** The first admin and the first site, by the one-time link of the log. */
export function SetupScreen() {
  const [token] = useState(tokenInAddress);
  const [publicKey, setPublicKey] = useState<string | null>(null);
  const check = useQuery({
    queryKey: ['setup', token],
    queryFn: () => checkSetUp(token),
    enabled: token !== '' && publicKey === null,
  });
  if (publicKey !== null) return <SetupDone publicKey={publicKey} />;
  if (check.error) {
    return (
      <Door title="Set up Foyer">
        <ErrorNote
          error={check.error}
          title="The link could not be checked."
          onRetry={() => void check.refetch()}
        />
      </Door>
    );
  }
  if (token === '' || check.data === false) return <Spent />;
  if (!check.data) {
    return (
      <Door title="Set up Foyer">
        <Bone className="late h-40" />
      </Door>
    );
  }
  return <SetupForm token={token} onDone={setPublicKey} />;
}

function Spent() {
  const enter = useEnter();
  return (
    <Door
      title="This link is no longer good"
      intro="A set-up link works once. The newest one stands in the server’s log; if Foyer is set up already, sign in."
    >
      <Button look="primary" onClick={() => enter('/app/sign-in')}>
        Go to sign-in
      </Button>
    </Door>
  );
}

function SetupForm({ token, onDone }: { token: string; onDone: (publicKey: string) => void }) {
  const [form, setForm] = useState({
    name: '',
    email: '',
    password: '',
    site_name: '',
    sample_knowledge: true,
  });
  const send = useMutation({
    mutationFn: () => setUp({ token, ...form }),
    onSuccess: (made) => {
      history.replaceState(history.state, '', location.pathname);
      onDone(made.public_key);
    },
  });
  const fields = send.error instanceof ApiError ? send.error : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send.mutate();
  };
  const set = (change: Partial<typeof form>): void => setForm({ ...form, ...change });
  return (
    <Door title="Set up Foyer" intro="You become the admin of your first site. It takes a minute.">
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label="Your name"
          hint="Visitors see it when you answer."
          autoComplete="name"
          required
          autoFocus
          maxLength={100}
          value={form.name}
          error={fields?.issue('name')}
          onChange={(event) => set({ name: event.target.value })}
        />
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          value={form.email}
          error={fields?.issue('email')}
          onChange={(event) => set({ email: event.target.value })}
        />
        <TextField
          label="Password"
          type="password"
          hint={`At least ${PASSWORD_MIN} characters.`}
          autoComplete="new-password"
          required
          minLength={PASSWORD_MIN}
          value={form.password}
          error={fields?.issue('password')}
          onChange={(event) => set({ password: event.target.value })}
        />
        <TextField
          label="Site name"
          hint="What your shop or product is called."
          required
          maxLength={100}
          value={form.site_name}
          error={fields?.issue('site_name')}
          onChange={(event) => set({ site_name: event.target.value })}
        />
        <CheckField
          label="Add sample knowledge"
          hint="20 articles of a small shop, so that the bot can answer at once. Delete them whenever you like."
          checked={form.sample_knowledge}
          onChange={(event) => set({ sample_knowledge: event.target.checked })}
        />
        {send.error && !(fields && fields.issues.length > 0) ? <ErrorNote error={send.error} /> : null}
        <Button type="submit" look="primary" className="w-full" busy={send.isPending}>
          {send.isPending ? 'Setting up…' : 'Set up'}
        </Button>
      </form>
    </Door>
  );
}
