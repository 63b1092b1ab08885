import type { ApiToken } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Page, Rows, Section } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { SecretDialog } from '../SecretDialog.tsx';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { TokenRow } from './TokenRow.tsx';
import { t } from './t.ts';
import { tokensQuery } from './tokens-query.ts';

const KINDS = ['api', 'browser'] as const satisfies ApiToken['kind'][];

/** The tokens of programs that use the REST API, and of pages. */
export function TokenSettings() {
  const { data, error, refetch } = useQuery(tokensQuery);
  const [creating, setCreating] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  const admin = useIsAdmin();
  const tokens = data?.toSorted(
    (one, two) => Number(one.revoked_utc !== null) - Number(two.revoked_utc !== null),
  );
  const create = admin ? (
    <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setCreating(true)}>
      {t('new')}
    </Button>
  ) : null;
  return (
    <Page
      place="settings tokens"
      title={t('title')}
      intro={t('intro')}
      actions={tokens && tokens.length > 0 ? create : null}
    >
      {!tokens ? (
        <Waiting error={error} retry={refetch} failed={t('failed')} rows={3} />
      ) : tokens.length === 0 ? (
        <Empty icon={<KeyRound />} title={t('empty')} action={create}>
          {t('empty_hint')}
        </Empty>
      ) : (
        KINDS.map((kind) => {
          const own = tokens.filter((token) => token.kind === kind);
          if (own.length === 0) return null;
          return (
            <Section key={kind} title={t(`for_${kind}_title`)} intro={t(`for_${kind}_intro`)}>
              <Rows label={t(`for_${kind}_title`)}>
                {own.map((token) => (
                  <TokenRow key={token.id} token={token} onSecret={setShown} />
                ))}
              </Rows>
            </Section>
          );
        })
      )}
      {creating ? <NewTokenDialog onClose={() => setCreating(false)} onSecret={setShown} /> : null}
      <SecretDialog
        secret={shown}
        title={t('secret_title')}
        label={t('secret_copy')}
        onClose={() => setShown(null)}
        text={shown?.startsWith('foyb_') ? t('secret_browser') : t('secret_api')}
      />
    </Page>
  );
}
