import type { ApiToken } from '@foyer/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { Ban, Globe, RefreshCw, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { dateOf } from '../../../times.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { Menu } from '../../../ui/Menu.tsx';
import { Badge } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { AccessDialog } from './AccessDialog.tsx';
import { DayBars } from './DayBars.tsx';
import { expiryState } from './expiry.ts';
import { PagesDialog } from './PagesDialog.tsx';
import { kindOf } from './rights.ts';
import { t } from './t.ts';
import { tokensQuery } from './tokens-query.ts';

const ORIGINS_SHOWN = 3;

/** A token's rights, or that it was revoked, has expired or will soon. */
function StateBadges({ token }: { token: ApiToken }) {
  if (token.revoked_utc !== null) return <Badge tone="danger">{t('revoked')}</Badge>;
  const expiry = expiryState(token.expires_utc, Date.now());
  return (
    <>
      {expiry === 'over' ? <Badge tone="danger">{t('expired')}</Badge> : null}
      {expiry === 'soon' ? <Badge tone="warn">{t('expires_soon')}</Badge> : null}
      <Badge>{token.kind === 'browser' ? t('may_browser') : t(`may_${kindOf(token)}`)}</Badge>
    </>
  );
}

/** Resources and addresses to which a program's token is limited. */
function LimitLines({ token }: { token: ApiToken }) {
  const { scopes, allowed_addresses: addresses } = token;
  return (
    <>
      {kindOf(token) === 'limited' ? (
        <p className="wrap-anywhere font-mono text-soft text-xs" dir="ltr">
          {scopes.join(', ')}
        </p>
      ) : null}
      {addresses.length > 0 ? (
        <p className="wrap-anywhere text-soft text-xs">
          {t('only_from', { addresses: addresses.join(', ') })}
        </p>
      ) : null}
    </>
  );
}

/** When and from where a token was last used. */
function lastUse({ last_used_utc, last_used_address: address }: ApiToken) {
  if (last_used_utc === null) return t('never_used');
  const when = <Ago words utc={last_used_utc} />;
  return address === null ? t.rich('last_used', { when }) : t.rich('last_used_from', { when, address });
}

/** The pages on which a browser token works. */
function PagesLine({ token }: { token: ApiToken }) {
  const { allowed_origins: origins } = token;
  if (origins.length === 0) return <p className="text-soft text-xs">{t('every_page')}</p>;
  const pages = origins.slice(0, ORIGINS_SHOWN).join(', ');
  const count = origins.length - ORIGINS_SHOWN;
  return (
    <p className="wrap-anywhere text-soft text-xs">
      {count > 0 ? t('more_pages', { pages, count }) : t('some_pages', { pages })}
    </p>
  );
}

const expiryLine = (utc: string): string =>
  t(Date.parse(utc) <= Date.now() ? 'expired_on' : 'expires_on', { date: dateOf(utc) });

/** One token: its rights, usage and actions. */
export function TokenRow({ token, onSecret }: TokenProps) {
  const admin = useIsAdmin();
  const revoked = token.revoked_utc !== null;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 ps-4 pe-2">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex items-center gap-2">
          <span className={cx(LINE, revoked ? 'text-soft line-through' : 'font-medium')}>
            <bdi>{token.name}</bdi>
          </span>
          <StateBadges token={token} />
        </p>
        <p className="text-soft text-xs">
          <code className="font-mono">…{token.hint}</code> · {t('made', { date: dateOf(token.created_utc) })}{' '}
          · {lastUse(token)}
          {token.expires_utc && !revoked ? ` · ${expiryLine(token.expires_utc)}` : null}
        </p>
        {revoked ? null : token.kind === 'browser' ? (
          <PagesLine token={token} />
        ) : (
          <LimitLines token={token} />
        )}
      </div>
      <div className="flex items-center gap-3">
        <DayBars days={token.daily} name={token.name} />
        <p className="tabular w-24 text-end text-soft text-xs">
          {t('requests', { count: token.request_count })}
        </p>
      </div>
      <div className="ms-auto w-8 max-md:w-10">
        {admin && !revoked ? <TokenMenu token={token} onSecret={onSecret} /> : null}
      </div>
    </li>
  );
}

interface TokenProps {
  token: ApiToken;
  onSecret: (secret: string) => void;
}

/** What an admin can do with a token. */
function TokenMenu({ token, onSecret }: TokenProps) {
  const [asking, setAsking] = useState<'revoke' | 'rotate' | 'pages' | 'access' | null>(null);
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: tokensQuery.queryKey });
  const { id, name, kind } = token;
  const close = (): void => setAsking(null);
  return (
    <>
      <Menu
        label={t('more', { name })}
        items={[
          kind === 'browser'
            ? { label: t('change_pages'), icon: <Globe aria-hidden />, onSelect: () => setAsking('pages') }
            : {
                label: t('change_access'),
                icon: <SlidersHorizontal aria-hidden />,
                onSelect: () => setAsking('access'),
              },
          { label: t('rotate'), icon: <RefreshCw aria-hidden />, onSelect: () => setAsking('rotate') },
          {
            label: t('revoke'),
            icon: <Ban aria-hidden />,
            danger: true,
            onSelect: () => setAsking('revoke'),
          },
        ]}
      />
      <ConfirmAction
        open={asking === 'revoke'}
        onClose={close}
        title={t('revoke_ask', { name })}
        action={t('revoke')}
        run={() => call('api_tokens.revoke', { id })}
        onDone={() => refresh().then(close)}
      >
        {t(`revoke_${kind}`)}
      </ConfirmAction>
      <ConfirmAction
        open={asking === 'rotate'}
        onClose={close}
        title={t('rotate_ask', { name })}
        action={t('rotate')}
        run={() => call('api_tokens.rotate', { id })}
        onDone={(made) => {
          // Immediately, because it is only available now, even if the list can't be loaded.
          onSecret(made.token);
          close();
          return refresh();
        }}
      >
        {t('rotate_hint')}
      </ConfirmAction>
      {asking === 'pages' ? <PagesDialog token={token} onClose={close} /> : null}
      {asking === 'access' ? <AccessDialog token={token} onClose={close} /> : null}
    </>
  );
}
