import { PASSWORD_MIN, PICTURE_MAX_BYTES } from '@foyer/protocol/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { changePassword } from '../../../account.ts';
import { ApiError, call } from '../../../api.ts';
import { signOut } from '../../../auth.ts';
import { useMe } from '../../../desk/DeskContext.tsx';
import { agentsQuery, meQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Face } from '../../../ui/Face.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { PictureField } from '../../../ui/PictureField.tsx';
import { complain, say } from '../../../ui/toast-store.ts';
import { DEVICES_KEY, Devices } from './Devices.tsx';
import { TwoFactorSection } from './TwoFactorSection.tsx';
import { t } from './t.ts';

/** My own account: password and the devices that are signed in. */
export function AccountSettings() {
  const { agent } = useMe();
  return (
    <Page
      place="settings account"
      title={t('title')}
      intro={
        <>
          <bdi>{agent.name}</bdi>, {agent.email}
        </>
      }
      actions={
        <Button
          icon={<LogOut aria-hidden className="size-4" />}
          onClick={() => void signOut().catch((error) => complain(t('still_signed_in'), error))}
        >
          {t('sign_out')}
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
    say(content === null ? t('picture_removed') : t('picture_set'));
  };
  return (
    <Section title={t('picture')} intro={t('picture_intro')}>
      <PictureField
        label={t('picture_own')}
        hint={t('picture_hint', { megabytes: PICTURE_MAX_BYTES / 1024 ** 2 })}
        isSet={agent.picture_url !== null}
        preview={<Face kind="agent" name={agent.name} picture={agent.picture_url} size="large" />}
        save={save}
      />
    </Section>
  );
}

function Password() {
  const client = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => changePassword(current, next),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      say(t('password_changed'));
      // It has ended the sessions of all others.
      void client.invalidateQueries({ queryKey: DEVICES_KEY });
    },
  });
  const refused = change.error instanceof ApiError ? change.error : undefined;
  const faults = [refused?.issue('currentPassword'), refused?.issue('newPassword')];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Section title={t('password')} intro={t('password_intro')}>
      <form onSubmit={submit} className="max-w-sm space-y-4">
        <TextField
          label={t('password_current')}
          type="password"
          autoComplete="current-password"
          required
          value={current}
          error={faults[0]}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <TextField
          label={t('password_new')}
          type="password"
          autoComplete="new-password"
          hint={t('password_length', { number: PASSWORD_MIN })}
          required
          minLength={PASSWORD_MIN}
          value={next}
          error={faults[1]}
          onChange={(event) => setNext(event.target.value)}
        />
        {change.error && !faults.some(Boolean) ? (
          <ErrorNote error={change.error} title={t('password_failed')} />
        ) : null}
        <Button type="submit" busy={change.isPending} disabled={current === '' || next === ''}>
          {t('password_change')}
        </Button>
      </form>
    </Section>
  );
}
