import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { signIn } from '../../account.ts';
import { FormError } from '../../forms/FormError.tsx';
import { type Form, useForm } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/forms/Field.tsx';
import { CodeForm } from './CodeForm.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import { domainOf, providersQuery, startAddress } from './sign-in-providers.ts';
import { t } from './t.ts';
import { usePasskeys } from './use-passkeys.ts';

interface SignInFormProps {
  onCode: (asked: boolean) => void;
  onIn: () => void;
  /** The page of the desk to continue to after an identity provider. */
  next: string;
  /** An identity provider has identified the person, and only the code is missing. */
  beginsWithCode?: boolean;
  /** The page below must stay: other ways to sign in open in a new tab. */
  keepPage?: boolean;
}

/**
 * Asks for email and password, and then for the second factor if there is one. For an address whose domain has an
 * identity provider, the sign-in continues there.
 */
export function SignInForm({
  onCode,
  onIn,
  next,
  beginsWithCode = false,
  keepPage = false,
}: SignInFormProps) {
  const [needsCode, setNeedsCode] = useState(beginsWithCode);
  const form = useForm({
    initial: { email: '', password: '' },
    save: ({ email, password }) => signIn(email.trim(), password),
    onSaved: (wantsCode) => {
      if (wantsCode) onCode(true);
      else onIn();
    },
  });
  const { email, password } = form.values;
  const { provider, others } = useProviders(email, password);
  const asksCode = form.saved === true || needsCode;
  const passkeys = usePasskeys(onIn, !asksCode && !form.saving);
  if (asksCode) {
    return (
      <CodeForm
        onIn={onIn}
        onAgain={() => {
          onCode(false);
          setNeedsCode(false);
          form.set({ password: '' });
          form.reset();
        }}
      />
    );
  }
  const submit = (event: SubmitEvent): void => {
    if (!provider) return void form.submit(event);
    event.preventDefault();
    open(startAddress(provider, email, next), keepPage);
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <Credentials form={form} needsPassword={!provider} />
      <FormError form={form} />
      <Button type="submit" look="primary" className="w-full" busy={form.saving}>
        {form.saving
          ? t('signing_in')
          : provider
            ? t('continue_with', { name: provider.name })
            : t('sign_in')}
      </Button>
      <ProviderButtons providers={others} email={email} next={next} keepPage={keepPage} passkeys={passkeys} />
      <ForgotPassword keepPage={keepPage} />
    </form>
  );
}

function open(address: string, inNewTab: boolean): void {
  if (inNewTab) window.open(address, '_blank', 'noopener');
  else location.assign(address);
}

/**
 * The identity provider that the form continues with: that of the address's domain, while no password is typed. Others
 * have their own buttons.
 */
function useProviders(email: string, password: string) {
  const domain = domainOf(email);
  const { data: shown = [] } = useQuery(providersQuery(''));
  const { data: found = [] } = useQuery({ ...providersQuery(domain), enabled: domain !== '' });
  const ofDomain = domain === '' ? [] : found;
  const all = [...ofDomain, ...shown.filter(({ id }) => ofDomain.every((one) => one.id !== id))];
  const provider = password === '' ? ofDomain[0] : undefined;
  return { provider, others: provider ? all.slice(1) : all };
}

function ForgotPassword({ keepPage }: { keepPage: boolean }) {
  return (
    <p className="text-center text-sm">
      <Link
        to="/forgot-password"
        {...(keepPage && { target: '_blank' })}
        className="font-medium text-accent-text underline"
      >
        {t('forgot_password')}
      </Link>
    </p>
  );
}

interface CredentialsProps {
  form: Form<{ email: string; password: string }, boolean>;
  needsPassword: boolean;
}

function Credentials({ form, needsPassword }: CredentialsProps) {
  return (
    <>
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username webauthn"
        required
        autoFocus
        {...form.text('email')}
      />
      <TextField
        label={t('password')}
        type="password"
        autoComplete="current-password"
        required={needsPassword}
        {...form.text('password')}
      />
    </>
  );
}
