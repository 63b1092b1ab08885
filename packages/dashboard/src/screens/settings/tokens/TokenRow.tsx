import type { ApiToken } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, Globe, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { tokensQuery } from '../../../queries.ts';
import { dateOf } from '../../../times.ts';
import { cx, LINE } from '../../../ui/classes.ts';
import { Confirm } from '../../../ui/Dialog.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { Badge } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { DayBars } from './DayBars.tsx';
import { PagesDialog } from './PagesDialog.tsx';
import { t } from './t.ts';

const ORIGINS_SHOWN = 3;

/** What stands behind a token's name: what it may, or that it is no more. */
function StateBadge({ token }: { token: ApiToken }) {
  if (token.revoked_utc !== null) return <Badge tone="danger">{t('revoked')}</Badge>;
  if (token.kind === 'browser') return <Badge>{t('may_browser')}</Badge>;
  return <Badge>{token.scopes.includes('write') ? t('may_write') : t('may_read')}</Badge>;
}

/** Where a browser token works. */
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

/** One token: what it is, how it was used, and what can be done with it. */
export function TokenRow({ token, onSecret }: { token: ApiToken; onSecret: (secret: string) => void }) {
  const [asking, setAsking] = useState<'revoke' | 'rotate' | 'pages' | null>(null);
  const admin = useIsAdmin();
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: tokensQuery.queryKey });
  const done = async (): Promise<void> => {
    await refresh();
    setAsking(null);
  };
  const revoke = useMutation({
    mutationFn: () => call('api_tokens.revoke', { id: token.id }),
    onSuccess: done,
  });
  const rotate = useMutation({
    mutationFn: () => call('api_tokens.rotate', { id: token.id }),
    onSuccess: (made) => {
      // At once: it is shown this once, whether the list can be had or not.
      onSecret(made.token);
      setAsking(null);
      return refresh();
    },
  });
  const revoked = token.revoked_utc !== null;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 ps-4 pe-2">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex items-center gap-2">
          <span className={cx(LINE, revoked ? 'text-soft line-through' : 'font-medium')}>
            <bdi>{token.name}</bdi>
          </span>
          <StateBadge token={token} />
        </p>
        <p className="text-soft text-xs">
          <code className="font-mono">…{token.hint}</code> · {t('made', { date: dateOf(token.created_utc) })}{' '}
          ·{' '}
          {token.last_used_utc
            ? t.rich('last_used', { when: <Ago words utc={token.last_used_utc} /> })
            : t('never_used')}
        </p>
        {token.kind === 'browser' && !revoked ? <PagesLine token={token} /> : null}
      </div>
      <div className="flex items-center gap-3">
        <DayBars days={token.daily} name={token.name} />
        <p className="tabular w-24 text-end text-soft text-xs">
          {t('requests', { count: token.request_count })}
        </p>
      </div>
      <div className="ms-auto w-8 max-md:w-10">
        {admin && !revoked ? (
          <Menu
            label={t('more', { name: token.name })}
            items={[
              ...(token.kind === 'browser'
                ? [
                    {
                      label: t('change_pages'),
                      icon: <Globe aria-hidden />,
                      onSelect: () => setAsking('pages'),
                    },
                  ]
                : []),
              { label: t('rotate'), icon: <RefreshCw aria-hidden />, onSelect: () => setAsking('rotate') },
              {
                label: t('revoke'),
                icon: <Ban aria-hidden />,
                danger: true,
                onSelect: () => setAsking('revoke'),
              },
            ]}
          />
        ) : null}
      </div>
      <Confirm
        open={asking === 'revoke'}
        onClose={() => setAsking(null)}
        title={t('revoke_ask', { name: token.name })}
        action={t('revoke')}
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate()}
      >
        {t(`revoke_${token.kind}`)}
      </Confirm>
      <Confirm
        open={asking === 'rotate'}
        onClose={() => setAsking(null)}
        title={t('rotate_ask', { name: token.name })}
        action={t('rotate')}
        busy={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate()}
      >
        {t('rotate_hint')}
      </Confirm>
      {asking === 'pages' ? <PagesDialog token={token} onClose={() => setAsking(null)} /> : null}
    </li>
  );
}
