import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { changePassword } from '../../account.ts';
import { call } from '../../api.ts';
import { signOut } from '../../auth.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { agentsQuery, meQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Face } from '../../ui/Face.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { PictureField } from '../../ui/PictureField.tsx';
import { complain, say } from '../../ui/toast-store.ts';
import { PASSWORD_MIN } from '../welcome/door-calls.ts';
import { Devices } from './Devices.tsx';
import { TwoFactorSection } from './TwoFactorSection.tsx';

/** My own account: password and the devices that are signed in. */
export function AccountSettings() {
  const { agent } = useMe();
  return (
    <Page
      place="settings account"
      title="Account"
      intro={`${agent.name}, ${agent.email}`}
      actions={
        <Button
          icon={<LogOut aria-hidden className="size-4" />}
          onClick={() => void signOut().catch((error) => complain('You are still signed in', error))}
        >
          Sign out
        </Button>
      }
    >
      <Picture />
      <Password />
      <TwoFactorSection />
      <Devices />
    </Page>
  );
}

function Picture() {
  const { agent } = useMe();
  const client = useQueryClient();
  const save = async (content: string | null): Promise<void> => {
    const changed = await call('me.set_picture', { content });
    client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, agent: changed } : me));
    await client.invalidateQueries({ queryKey: agentsQuery.queryKey });
    say(content === null ? 'Your picture is removed.' : 'Your picture is set.');
  };
  return (
    <Section
      title="Picture"
      intro="Visitors see it beside your name and what you write, and your team sees it too."
    >
      <PictureField
        label="Your picture"
        hint="JPEG, PNG, GIF or WebP, up to 8 MB. It is cut to a square. Without one, your initials are shown."
        isSet={agent.picture_url !== null}
        preview={<Face kind="agent" name={agent.name} picture={agent.picture_url} size="large" />}
        save={save}
      />
    </Section>
  );
}

function Password() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => changePassword(current, next),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      say('Your password is changed. Other devices were signed out.');
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Section title="Password" intro="Changing it signs you out everywhere else.">
      <form onSubmit={submit} className="max-w-sm space-y-4">
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${PASSWORD_MIN} characters.`}
          required
          minLength={PASSWORD_MIN}
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
        {change.error ? <ErrorNote error={change.error} title="The password was not changed." /> : null}
        <Button type="submit" busy={change.isPending} disabled={current === '' || next === ''}>
          Change password
        </Button>
      </form>
    </Section>
  );
}
