import type { IdentitySecret } from '@foyer/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { callQuery } from '../../../call-queries.ts';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { dateOf, exact } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Section } from '../../../ui/Page.tsx';
import { SecretDialog } from '../SecretDialog.tsx';
import { t } from './t.ts';

const identitySecretQuery = callQuery(['identity_secret'], 'identity_secret.get', {});

/** The secret with which a site's server proves its visitors' identities. */
export function IdentityProof() {
  const { data, error, refetch } = useQuery(identitySecretQuery);
  const [shown, setShown] = useState<string | null>(null);
  return (
    <Section title={t('proof')} intro={t('proof_intro')}>
      {error && data === undefined ? (
        <ErrorNote error={error} title={t('proof_failed')} onRetry={() => void refetch()} />
      ) : data === undefined ? null : (
        <SecretState secret={data} onSecret={setShown} />
      )}
      <SecretDialog
        secret={shown}
        title={t('secret_title')}
        label={t('secret_copy')}
        onClose={() => setShown(null)}
        text={t('secret_text')}
      />
    </Section>
  );
}

function SecretLine({ secret }: { secret: NonNullable<IdentitySecret> }) {
  const hint = <code className="font-mono">…{secret.hint}</code>;
  const date = dateOf(secret.created_utc);
  return secret.previous_until_utc
    ? t.rich('secret_made_before', { hint, date, until: exact(secret.previous_until_utc) })
    : t.rich('secret_made', { hint, date });
}

interface SecretProps {
  secret: IdentitySecret;
  onSecret: (secret: string) => void;
}

type Asking = 'rotate' | 'remove' | null;

function SecretState({ secret, onSecret }: SecretProps) {
  const [asking, setAsking] = useState<Asking>(null);
  const admin = useIsAdmin();
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border px-4 py-3">
        <div className="min-w-0 flex-1 basis-52">
          <p className="font-medium">{secret ? t('verified') : t('believed')}</p>
          {secret ? (
            <p className="text-soft text-xs">
              <SecretLine secret={secret} />
            </p>
          ) : (
            <p className="text-soft text-xs">{t('no_secret')}</p>
          )}
        </div>
        {admin && secret ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setAsking('rotate')}>{t('rotate')}</Button>
            <Button onClick={() => setAsking('remove')}>{t('remove')}</Button>
          </div>
        ) : admin ? (
          <Button icon={<ShieldCheck aria-hidden className="size-4" />} onClick={() => setAsking('rotate')}>
            {t('make')}
          </Button>
        ) : null}
      </div>
      <SecretQuestions secret={secret} onSecret={onSecret} asking={asking} onClose={() => setAsking(null)} />
    </>
  );
}

interface QuestionsProps extends SecretProps {
  asking: Asking;
  onClose: () => void;
}

function SecretQuestions({ secret, onSecret, asking, onClose }: QuestionsProps) {
  const client = useQueryClient();
  const done = (): Promise<void> => {
    onClose();
    return client.invalidateQueries({ queryKey: identitySecretQuery.queryKey });
  };
  return (
    <>
      <ConfirmAction
        open={asking === 'rotate'}
        onClose={onClose}
        title={secret ? t('rotate_ask') : t('make_ask')}
        action={secret ? t('rotate') : t('make')}
        danger={false}
        run={() => call('identity_secret.rotate', {})}
        onDone={(made) => {
          // Immediately, because it is only available now, even if its state can't be loaded.
          onSecret(made.secret);
          return done();
        }}
      >
        {secret ? t('rotate_hint') : t('make_hint')}
      </ConfirmAction>
      <ConfirmAction
        open={asking === 'remove'}
        onClose={onClose}
        title={t('remove_ask')}
        action={t('remove_action')}
        run={() => call('identity_secret.remove', {})}
        onDone={done}
      >
        {t('remove_hint')}
      </ConfirmAction>
    </>
  );
}
