import { PASSWORD_MIN } from '@foyer/protocol/values/bounds';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api.ts';
import { FormError } from '../../forms/FormError.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextField } from '../../ui/forms/Field.tsx';
import { Bone } from '../../ui/States.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { Door } from './Door.tsx';
import { checkResetLink, resetPassword, tokenInAddress, useEnter } from './door-calls.ts';
import { t } from './t.ts';

const isSpent = (error: Error | null): boolean => error instanceof ApiError && error.code === 'not_found';

/** Sets a new password with a link from an email or the command line. */
export function ResetPasswordScreen() {
  const [token] = useState(tokenInAddress);
  const check = useQuery({
    queryKey: ['reset-password', token],
    queryFn: () => checkResetLink(token),
    enabled: token !== '',
    // The link ends when it is used, while the form is open: the form says so and keeps what was typed.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (check.data) return <NewPassword token={token} email={check.data.email} />;
  if (token === '' || isSpent(check.error)) return <Spent />;
  return (
    <Door title={t('reset_title')}>
      {check.error ? (
        <ErrorNote error={check.error} onRetry={() => void check.refetch()} />
      ) : (
        <Bone className="late h-24" />
      )}
    </Door>
  );
}

function Spent() {
  return (
    <Door title={t('link_spent')} intro={t('reset_spent_hint')}>
      <Link to="/forgot-password" className={buttonLook('primary')}>
        {t('request_link')}
      </Link>
    </Door>
  );
}

function NewPassword({ token, email }: { token: string; email: string }) {
  const enter = useEnter();
  const form = useForm({
    initial: { password: '' },
    save: ({ password }) => resetPassword(token, password),
    onSaved: () => {
      toast.success(t('password_set'));
      enter('/app/sign-in');
    },
  });
  if (isSpent(form.error)) return <Spent />;
  return (
    <Door title={t('reset_title')} intro={t('reset_hint', { email })}>
      <form onSubmit={form.submit} className="space-y-4">
        {/* Password managers store the new password under it. */}
        <input hidden readOnly autoComplete="username" value={email} />
        <TextField
          label={t('new_password')}
          type="password"
          hint={t('password_length', { number: PASSWORD_MIN })}
          autoComplete="new-password"
          required
          autoFocus
          minLength={PASSWORD_MIN}
          {...form.text('password')}
        />
        <FormError form={form} />
        <Button type="submit" look="primary" className="w-full" busy={form.saving}>
          {form.saving ? t('setting_password') : t('set_password')}
        </Button>
      </form>
    </Door>
  );
}
