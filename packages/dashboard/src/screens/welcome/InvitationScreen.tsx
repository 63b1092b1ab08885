import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Bone } from '../../ui/States.tsx';
import { Door } from './Door.tsx';
import {
  acceptInvitation,
  checkInvitation,
  type Invited,
  PASSWORD_MIN,
  tokenInAddress,
  useEnter,
} from './door-calls.ts';

/** Joining a team by the link that an admin passed on. */
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
      <Door
        title="This invitation is no longer good"
        intro="It was used, withdrawn, or is too old. Ask an admin of the team for a new link."
      >
        {check.error ? <ErrorNote error={check.error} /> : null}
      </Door>
    );
  }
  return (
    <Door title="Invitation">
      {check.error ? (
        <ErrorNote error={check.error} onRetry={() => void check.refetch()} />
      ) : (
        <Bone className="late h-40" />
      )}
    </Door>
  );
}

function Accept({ token, invited }: { token: string; invited: Invited }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const enter = useEnter();
  const accept = useMutation({
    mutationFn: () => acceptInvitation(token, name, password),
    onSuccess: () => enter('/app/inbox'),
  });
  const fields = accept.error instanceof ApiError ? accept.error : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    accept.mutate();
  };
  const role = invited.role === 'admin' ? 'an admin' : 'an agent';
  return (
    <Door title={`Join ${invited.site_name}`} intro={`You are invited as ${role}, with ${invited.email}.`}>
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label="Your name"
          hint="Visitors see it when you answer."
          autoComplete="name"
          required
          autoFocus
          maxLength={100}
          value={name}
          error={fields?.issue('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          hint={
            invited.has_account
              ? 'The one that you sign in with already.'
              : `At least ${PASSWORD_MIN} characters.`
          }
          autoComplete={invited.has_account ? 'current-password' : 'new-password'}
          required
          minLength={invited.has_account ? undefined : PASSWORD_MIN}
          value={password}
          error={fields?.issue('password')}
          onChange={(event) => setPassword(event.target.value)}
        />
        {accept.error && !(fields && fields.issues.length > 0) ? <ErrorNote error={accept.error} /> : null}
        <Button type="submit" look="primary" className="w-full" busy={accept.isPending}>
          {accept.isPending ? 'Joining…' : 'Join the team'}
        </Button>
      </form>
    </Door>
  );
}
