import { PASSWORD_MIN, PICTURE_MAX_BYTES } from '@foyer/protocol/values/bounds';
import { useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { changePassword } from '../../../account.ts';
import { call } from '../../../api.ts';
import { signOut } from '../../../auth.ts';
import { useMe } from '../../../desk/DeskContext.tsx';
import { FormError } from '../../../forms/FormError.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { agentsQuery, meQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { Face } from '../../../ui/Face.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { PictureField } from '../../../ui/forms/PictureField.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { OwnSignature } from '../signature/Signature.tsx';
import { DEVICES_KEY, Devices } from './Devices.tsx';
import { PasskeySection } from './PasskeySection.tsx';
import { TwoFactorSection } from './TwoFactorSection.tsx';
import { t } from './t.ts';

/** The agent's account: password, two-factor sign-in and devices. */
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
          onClick={() => void signOut().catch((error) => toast.error(t('still_signed_in'), error))}
        >
          {t('sign_out')}
        </Button>
      }
    >
      <Picture />
      <OwnSignature />
      <Password />
      <PasskeySection />
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
    toast.success(content === null ? t('picture_removed') : t('picture_set'));
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
  const form = useForm({
    initial: { currentPassword: '', newPassword: '' },
    save: ({ currentPassword, newPassword }) => changePassword(currentPassword, newPassword),
    onSaved: () => {
      form.set({ currentPassword: '', newPassword: '' });
      toast.success(t('password_changed'));
      // It has ended all other sessions.
      void client.invalidateQueries({ queryKey: DEVICES_KEY });
    },
  });
  const { currentPassword, newPassword } = form.values;
  return (
    <Section title={t('password')} intro={t('password_intro')}>
      <form onSubmit={form.submit} className="max-w-sm space-y-4">
        <TextField
          label={t('password_current')}
          type="password"
          autoComplete="current-password"
          required
          {...form.text('currentPassword')}
        />
        <TextField
          label={t('password_new')}
          type="password"
          autoComplete="new-password"
          hint={t('password_length', { number: PASSWORD_MIN })}
          required
          minLength={PASSWORD_MIN}
          {...form.text('newPassword')}
        />
        <FormError form={form} title={t('password_failed')} />
        <Button type="submit" busy={form.saving} disabled={currentPassword === '' || newPassword === ''}>
          {t('password_change')}
        </Button>
      </form>
    </Section>
  );
}
