import type { MailboxRecord } from '@foyer/protocol';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Info, LogIn, TriangleAlert } from 'lucide-react';
import { call } from '../../../api.ts';
import type { Form } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyBox } from '../../../ui/CopyBox.tsx';
import { Segments } from '../../../ui/forms/Segments.tsx';
import { Callout } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { providersQuery } from './mailbox-queries.ts';
import type { MailboxValues, MailProvider } from './mailbox-values.ts';
import { t } from './t.ts';

/** The names of companies, the same in every language. */
export const PROVIDER_NAMES: Readonly<Record<MailProvider, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
};

/** Goes to the provider's page, where somebody signs in to the mailbox. */
export async function goToSignIn(id: number): Promise<void> {
  const { url } = await call('mailboxes.begin_sign_in', { id });
  window.location.assign(url);
}

interface SignInButtonProps {
  id: number;
  provider: MailProvider;
  isAgain: boolean;
  /** What there is to do on this page. */
  isMain: boolean;
}

export function SignInButton({ id, provider, isAgain, isMain }: SignInButtonProps) {
  const begin = useMutation({
    mutationFn: () => goToSignIn(id),
    onError: (error) => toast.error(t('sign_in_failed'), error),
  });
  const name = PROVIDER_NAMES[provider];
  return (
    <Button
      look={isMain ? 'primary' : 'plain'}
      icon={<LogIn aria-hidden className="size-4" />}
      // Until the browser has left this page.
      busy={begin.isPending || begin.isSuccess}
      onClick={() => begin.mutate()}
    >
      {isAgain ? t('sign_in_again', { provider: name }) : t('sign_in_with', { provider: name })}
    </Button>
  );
}

/** What the operator must do before anybody can sign in with a provider; nothing once that is done. */
function ProviderSetup({ provider }: { provider: MailProvider }) {
  const { data } = useQuery(providersQuery);
  if (!data || data.providers.some(({ id, is_set_up }) => id === provider && is_set_up)) return null;
  const variable = `FOYER_${provider.toUpperCase()}_CLIENT`;
  const code = (text: string) => <code className="wrap-anywhere">{text}</code>;
  return (
    <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
      <p>
        {t.rich('provider_unset', {
          provider: PROVIDER_NAMES[provider],
          id: code(`${variable}_ID`),
          secret: code(`${variable}_SECRET`),
          docs: code('docs/email.md'),
        })}
      </p>
      <p className="mt-2 mb-1">{t('provider_redirect')}</p>
      <CopyBox text={data.redirect_url} label={t('redirect_copy')} wrap />
    </Callout>
  );
}

/** How a mailbox of Google or Microsoft signs in: there, or at Google also with a password. */
export function SignInChoice({ form, isNew }: { form: Form<MailboxValues>; isNew: boolean }) {
  const { values, set } = form;
  const { provider, signIn } = values;
  if (provider !== 'google' && provider !== 'microsoft') return null;
  const name = PROVIDER_NAMES[provider];
  return (
    <>
      {provider === 'google' ? (
        <Segments
          label={t('sign_in')}
          value={signIn}
          onChange={(chosen) => set({ signIn: chosen })}
          options={[
            { value: 'google', label: t('sign_in_with', { provider: name }) },
            { value: 'password', label: t('app_password') },
          ]}
        />
      ) : null}
      {signIn === 'password' ? null : (
        <>
          <ProviderSetup provider={signIn} />
          {isNew && values.canSignIn.includes(signIn) ? (
            <Callout icon={<Info aria-hidden />}>{t('sign_in_next', { provider: name })}</Callout>
          ) : null}
        </>
      )}
    </>
  );
}

/** The account with which a mailbox is signed in, and a button to sign in again. */
export function SignInState({ mailbox }: { mailbox: MailboxRecord }) {
  const { id, sign_in, signed_in_utc } = mailbox;
  if (sign_in === 'password') return null;
  const provider = PROVIDER_NAMES[sign_in];
  return (
    <div className="space-y-3 rounded-lg border p-4">
      <p className={signed_in_utc ? 'text-soft' : 'font-medium'}>
        {signed_in_utc
          ? t.rich('signed_in', { provider, when: <Ago words utc={signed_in_utc} /> })
          : t('signed_in_not', { provider })}
      </p>
      <ProviderSetup provider={sign_in} />
      <SignInButton
        id={id}
        provider={sign_in}
        isAgain={signed_in_utc !== null}
        isMain={signed_in_utc === null}
      />
    </div>
  );
}
