import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FormError } from '../../forms/FormError.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { CopyBox } from '../../ui/CopyBox.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextField } from '../../ui/forms/Field.tsx';
import { Bone } from '../../ui/States.tsx';
import { Door } from './Door.tsx';
import { canMailLinks, requestResetLink } from './door-calls.ts';
import { t } from './t.ts';

/** The command for an installation without email, run on the server. */
const RESET_COMMAND = 'npx foyer user reset-password EMAIL';

/** Requests a link to choose a new password. */
export function ForgotPasswordScreen() {
  const mail = useQuery({ queryKey: ['password-options'], queryFn: canMailLinks });
  if (mail.data) return <RequestLink />;
  if (mail.data === false) {
    return (
      <Door wide title={t('forgot_title')} intro={t('forgot_no_mail')}>
        <CopyBox text={RESET_COMMAND} label={t('copy_command')} wrap />
        <BackToSignIn />
      </Door>
    );
  }
  return (
    <Door title={t('forgot_title')}>
      {mail.error ? (
        <ErrorNote error={mail.error} onRetry={() => void mail.refetch()} />
      ) : (
        <Bone className="late h-24" />
      )}
    </Door>
  );
}

function RequestLink() {
  const form = useForm({
    initial: { email: '' },
    save: async ({ email }) => {
      await requestResetLink(email.trim());
      return email.trim();
    },
  });
  if (form.saved !== undefined) {
    return (
      <Door title={t('link_sent_title')} intro={t('link_sent', { email: form.saved })}>
        <Link to="/sign-in" className={buttonLook()}>
          {t('back_to_sign_in')}
        </Link>
      </Door>
    );
  }
  return (
    <Door title={t('forgot_title')} intro={t('forgot_hint')}>
      <form onSubmit={form.submit} className="space-y-4">
        <TextField
          label={t('email')}
          type="email"
          autoComplete="username"
          required
          autoFocus
          {...form.text('email')}
        />
        <FormError form={form} />
        <Button type="submit" look="primary" className="w-full" busy={form.saving}>
          {form.saving ? t('sending_link') : t('send_link')}
        </Button>
      </form>
      <BackToSignIn />
    </Door>
  );
}

function BackToSignIn() {
  return (
    <Link to="/sign-in" className={`${buttonLook('quiet')} -ms-4 mt-4`}>
      {t('back_to_sign_in')}
    </Link>
  );
}
