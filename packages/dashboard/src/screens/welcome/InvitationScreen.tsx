import { NAME_MAX, PASSWORD_MIN } from '@foyer/protocol/values/bounds';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api.ts';
import { FormError } from '../../forms/FormError.tsx';
import { useForm } from '../../forms/use-form.ts';
import { withSite } from '../../site.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextField } from '../../ui/forms/Field.tsx';
import { Bone } from '../../ui/States.tsx';
import { Door } from './Door.tsx';
import { acceptInvitation, checkInvitation, type Invited, tokenInAddress } from './door-calls.ts';
import { t } from './t.ts';

/** Joining a team with an invitation link. */
export function InvitationScreen() {
  const [token] = useState(tokenInAddress);
  const check = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => checkInvitation(token),
    enabled: token !== '',
  });
  if (check.data) return <Accept token={token} invited={check.data} />;
  const spent = token === '' || (check.error instanceof ApiError && !check.error.passes);
  if (spent) {
    return (
      <Door title={t('invitation_spent')} intro={t('invitation_spent_hint')}>
        {check.error ? <ErrorNote error={check.error} /> : null}
      </Door>
    );
  }
  return (
    <Door title={t('invitation')}>
      {check.error ? (
        <ErrorNote error={check.error} onRetry={() => void check.refetch()} />
      ) : (
        <Bone className="late h-40" />
      )}
    </Door>
  );
}

function Accept({ token, invited }: { token: string; invited: Invited }) {
  const form = useForm({
    initial: { name: '', password: '' },
    save: ({ name, password }) => acceptInvitation(token, name, password),
    // Reloads, because this tab may have shown another of the person's sites.
    onSaved: (siteId) => location.assign(withSite('/app/inbox', siteId)),
  });
  return (
    <Door
      title={t('join_title', { site_name: invited.site_name })}
      intro={t(`invited_as_${invited.role}`, { email: invited.email })}
    >
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
        <TextField
          label={t('password')}
          type="password"
          hint={invited.has_account ? t('password_known') : t('password_length', { number: PASSWORD_MIN })}
          autoComplete={invited.has_account ? 'current-password' : 'new-password'}
          required
          minLength={invited.has_account ? undefined : PASSWORD_MIN}
          {...form.text('password')}
        />
        <FormError form={form} />
        <Button type="submit" look="primary" className="w-full" busy={form.saving}>
          {form.saving ? t('joining') : t('join')}
        </Button>
      </form>
    </Door>
  );
}
