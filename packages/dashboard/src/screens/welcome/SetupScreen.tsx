import { NAME_MAX, PASSWORD_MIN } from '@foyer/protocol/values/bounds';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormError } from '../../forms/FormError.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { CheckField, TextField } from '../../ui/forms/Field.tsx';
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

interface SetupFormProps {
  token: string;
  onDone: (publicKey: string) => void;
}

function SetupForm({ token, onDone }: SetupFormProps) {
  const form = useForm({
    initial: { name: '', email: '', password: '', site_name: '', sample_knowledge: true },
    save: (values) => setUp({ token, ...values }),
    onSaved: (made) => {
      history.replaceState(history.state, '', location.pathname);
      onDone(made.public_key);
    },
  });
  return (
    <Door title={t('setup_title')} intro={t('setup_hint')}>
      <form onSubmit={form.submit} className="space-y-4">
        <TextField
          label={t('your_name')}
          hint={t('your_name_hint')}
          autoComplete="name"
          required
          autoFocus
          maxLength={NAME_MAX}
          {...form.text('name')}
        />
        <TextField label={t('email')} type="email" autoComplete="username" required {...form.text('email')} />
        <TextField
          label={t('password')}
          type="password"
          hint={t('password_length', { number: PASSWORD_MIN })}
          autoComplete="new-password"
          required
          minLength={PASSWORD_MIN}
          {...form.text('password')}
        />
        <TextField
          label={t('site_name')}
          hint={t('site_name_hint')}
          required
          maxLength={NAME_MAX}
          {...form.text('site_name')}
        />
        <CheckField label={t('sample')} hint={t('sample_hint')} {...form.checkbox('sample_knowledge')} />
        <FormError form={form} />
        <Button type="submit" look="primary" className="w-full" busy={form.saving}>
          {form.saving ? t('setting_up') : t('set_up')}
        </Button>
      </form>
    </Door>
  );
}
