import type { IdentityProvider } from '@foyer/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { dateOf, exact } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { CopyBox } from '../../../ui/CopyBox.tsx';
import { Section } from '../../../ui/Page.tsx';
import { SecretDialog } from '../SecretDialog.tsx';
import { identityProvidersQuery } from './provider-queries.ts';
import { t } from './t.ts';

interface ProvisioningProps {
  provider: IdentityProvider;
}

/** Whether the provider may create and remove agents by SCIM. */
export function Provisioning({ provider }: ProvisioningProps) {
  const [token, setToken] = useState<string | null>(null);
  return (
    <Section title={t('scim_title')} intro={t('scim_intro')}>
      <ProvisioningState provider={provider} onToken={setToken} />
      {provider.scim ? (
        <div className="mt-3">
          <CopyBox wrap text={provider.scim.base_url} label={t('scim_url_copy')} />
        </div>
      ) : null}
      <SecretDialog
        secret={token}
        title={t('scim_token_title')}
        label={t('scim_token_copy')}
        text={t('scim_token_text')}
        onClose={() => setToken(null)}
      />
    </Section>
  );
}

function TokenLines({ scim }: { scim: NonNullable<IdentityProvider['scim']> }) {
  return (
    <>
      <p className="text-soft text-xs">
        {t.rich('scim_token', {
          hint: <code className="font-mono">…{scim.token_hint}</code>,
          date: dateOf(scim.token_created_utc),
        })}
      </p>
      <p className="text-soft text-xs">
        {scim.used_utc ? t('scim_used', { time: exact(scim.used_utc) }) : t('scim_unused')}
      </p>
    </>
  );
}

type Asking = 'rotate' | 'remove' | null;

interface StateProps extends ProvisioningProps {
  onToken: (token: string) => void;
}

function ProvisioningState({ provider, onToken }: StateProps) {
  const { scim } = provider;
  const [asking, setAsking] = useState<Asking>(null);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border px-4 py-3">
        <div className="min-w-0 flex-1 basis-52">
          <p className="font-medium">{t(scim ? 'scim_on' : 'scim_off')}</p>
          {scim ? <TokenLines scim={scim} /> : <p className="text-soft text-xs">{t('scim_off_hint')}</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            icon={scim ? undefined : <KeyRound aria-hidden className="size-4" />}
            onClick={() => setAsking('rotate')}
          >
            {t(scim ? 'scim_rotate' : 'scim_create')}
          </Button>
          {scim ? <Button onClick={() => setAsking('remove')}>{t('scim_remove')}</Button> : null}
        </div>
      </div>
      <Questions provider={provider} asking={asking} onClose={() => setAsking(null)} onToken={onToken} />
    </>
  );
}

function Questions({
  provider: { id, name, scim },
  asking,
  onClose,
  onToken,
}: StateProps & { asking: Asking; onClose: () => void }) {
  const client = useQueryClient();
  const done = (): Promise<void> => {
    onClose();
    return client.invalidateQueries({ queryKey: identityProvidersQuery.queryKey });
  };
  return (
    <>
      <ConfirmAction
        open={asking === 'rotate'}
        onClose={onClose}
        title={t(scim ? 'scim_rotate_ask' : 'scim_create_ask', { name })}
        action={t(scim ? 'scim_rotate' : 'scim_create')}
        danger={scim !== null}
        run={() => call('identity_providers.rotate_scim_token', { id })}
        onDone={({ token }) => {
          // Immediately, because it is only available now.
          onToken(token);
          return done();
        }}
      >
        {t(scim ? 'scim_rotate_hint' : 'scim_create_hint')}
      </ConfirmAction>
      <ConfirmAction
        open={asking === 'remove'}
        onClose={onClose}
        title={t('scim_remove_ask', { name })}
        action={t('scim_remove')}
        run={() => call('identity_providers.remove_scim_token', { id })}
        onDone={done}
      >
        {t('scim_remove_hint')}
      </ConfirmAction>
    </>
  );
}
