import { NAME_MAX, PASSWORD_MIN } from '@foyer/protocol/bounds';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { CheckField, TextField } from '../../ui/Field.tsx';
import { Bone } from '../../ui/States.tsx';
import { Door } from './Door.tsx';
import { checkSetUp, setUp, tokenInAddress, useEnter } from './door-calls.ts';
import { SetupDone } from './SetupDone.tsx';
import { t } from './t.ts';

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
  // Who fills in the form keeps it when it is looked at again and no answer comes.
  if (check.error && check.data === undefined) {
    return (
      <Door title={t('setup_title')}>
        <ErrorNote error={check.error} title={t('link_unchecked')} onRetry={() => void check.refetch()} />
      </Door>
    );
  }
  if (token === '' || check.data === false) return <Spent />;
  if (!check.data) {
    return (
      <Door title={t('setup_title')}>
        <Bone className="late h-40" />
      </Door>
    );
  }
  return <SetupForm token={token} onDone={setPublicKey} />;
}

function Spent() {
  const enter = useEnter();
  return (
    <Door title={t('link_spent')} intro={t('link_spent_hint')}>
      <Button look="primary" onClick={() => enter('/app/sign-in')}>
        {t('to_sign_in')}
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
    <Door title={t('setup_title')} intro={t('setup_hint')}>
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label={t('your_name')}
          hint={t('your_name_hint')}
          autoComplete="name"
          required
          autoFocus
          maxLength={NAME_MAX}
          value={form.name}
          error={fields?.issue('name')}
          onChange={(event) => set({ name: event.target.value })}
        />
        <TextField
          label={t('email')}
          type="email"
          autoComplete="username"
          required
          value={form.email}
          error={fields?.issue('email')}
          onChange={(event) => set({ email: event.target.value })}
        />
        <TextField
          label={t('password')}
          type="password"
          hint={t('password_length', { number: PASSWORD_MIN })}
          autoComplete="new-password"
          required
          minLength={PASSWORD_MIN}
          value={form.password}
          error={fields?.issue('password')}
          onChange={(event) => set({ password: event.target.value })}
        />
        <TextField
          label={t('site_name')}
          hint={t('site_name_hint')}
          required
          maxLength={NAME_MAX}
          value={form.site_name}
          error={fields?.issue('site_name')}
          onChange={(event) => set({ site_name: event.target.value })}
        />
        <CheckField
          label={t('sample')}
          hint={t('sample_hint')}
          checked={form.sample_knowledge}
          onChange={(event) => set({ sample_knowledge: event.target.checked })}
        />
        {send.error && !fields?.isOnlyOf(['name', 'email', 'password', 'site_name']) ? (
          <ErrorNote error={send.error} />
        ) : null}
        <Button type="submit" look="primary" className="w-full" busy={send.isPending}>
          {send.isPending ? t('setting_up') : t('set_up')}
        </Button>
      </form>
    </Door>
  );
}
