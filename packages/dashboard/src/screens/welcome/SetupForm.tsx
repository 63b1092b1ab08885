import { NAME_MAX, PASSWORD_MIN } from '@foyer/protocol/values/bounds';
import { FormError } from '../../forms/FormError.tsx';
import { type Form, useForm } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckField, TextField } from '../../ui/forms/Field.tsx';
import { isLocalAddress } from '../settings/install/local-address.ts';
import { Door } from './Door.tsx';
import { type NewSite, setUp } from './door-calls.ts';
import { t } from './t.ts';

interface SetupFormProps {
  token: string;
  asksAddress: boolean;
  onDone: (made: NewSite) => void;
}

const firstValues = () => ({
  name: '',
  email: '',
  password: '',
  site_name: '',
  public_url: location.origin,
  sample_knowledge: false,
});

/** Asks for the first admin and the first site, and creates both. */
export function SetupForm({ token, asksAddress, onDone }: SetupFormProps) {
  const form = useForm({
    initial: firstValues(),
    save: ({ public_url, ...values }) => setUp({ token, ...values, ...(asksAddress && { public_url }) }),
    onSaved: (made) => {
      history.replaceState(history.state, '', location.pathname);
      onDone(made);
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
        <SiteFields form={form} asksAddress={asksAddress} />
        <FormError form={form} />
        <Button type="submit" look="primary" className="w-full" busy={form.saving}>
          {form.saving ? t('setting_up') : t('set_up')}
        </Button>
      </form>
    </Door>
  );
}

interface SiteFieldsProps {
  form: Form<ReturnType<typeof firstValues>>;
  asksAddress: boolean;
}

function SiteFields({ form, asksAddress }: SiteFieldsProps) {
  return (
    <>
      <TextField
        label={t('site_name')}
        hint={t('site_name_hint')}
        required
        maxLength={NAME_MAX}
        {...form.text('site_name')}
      />
      {asksAddress ? (
        <TextField
          label={t('public_url')}
          hint={isLocalAddress(form.values.public_url) ? t('public_url_local') : t('public_url_hint')}
          type="url"
          required
          {...form.text('public_url')}
        />
      ) : null}
      <CheckField label={t('sample')} hint={t('sample_hint')} {...form.checkbox('sample_knowledge')} />
    </>
  );
}
