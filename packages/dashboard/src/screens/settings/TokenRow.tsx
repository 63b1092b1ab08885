import type { ApiToken } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, Globe, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { tokensQuery } from '../../queries.ts';
import { dateOf } from '../../times.ts';
import { Confirm } from '../../ui/Dialog.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Badge } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { count } from '../../words.ts';
import { DayBars } from './DayBars.tsx';
import { PagesDialog } from './PagesDialog.tsx';

const ORIGINS_SHOWN = 3;

/** What stands behind a token's name: what it may, or that it is no more. */
function StateBadge({ token }: { token: ApiToken }) {
  if (token.revoked_utc !== null) return <Badge tone="danger">Revoked</Badge>;
  if (token.kind === 'browser') return <Badge>Writes visitors and events</Badge>;
  return <Badge>{token.scopes.includes('write') ? 'Read and write' : 'Read'}</Badge>;
}

/** Where a browser token works. */
function PagesLine({ token }: { token: ApiToken }) {
  const { allowed_origins: origins } = token;
  if (origins.length === 0) return <p className="text-soft text-xs">Works on every page.</p>;
  return (
    <p className="wrap-anywhere text-soft text-xs">
      Works on {origins.slice(0, ORIGINS_SHOWN).join(', ')}
      {origins.length > ORIGINS_SHOWN ? ` and ${origins.length - ORIGINS_SHOWN} more` : ''}
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
    onSuccess: async (made) => {
      await done();
      onSecret(made.token);
    },
  });
  const revoked = token.revoked_utc !== null;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 ps-4 pe-2">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex items-center gap-2">
          <span className={revoked ? 'truncate text-soft line-through' : 'truncate font-medium'}>
            {token.name}
          </span>
          <StateBadge token={token} />
        </p>
        <p className="text-soft text-xs">
          <code className="font-mono">…{token.hint}</code> · made {dateOf(token.created_utc)} ·{' '}
          {token.last_used_utc ? (
            <>
              last used <Ago words utc={token.last_used_utc} />
            </>
          ) : (
            'never used'
          )}
        </p>
        {token.kind === 'browser' && !revoked ? <PagesLine token={token} /> : null}
      </div>
      <div className="flex items-center gap-3">
        <DayBars days={token.daily} label={`Requests a day of ${token.name}`} />
        <p className="tabular w-24 text-end text-soft text-xs">{count(token.request_count, 'request')}</p>
      </div>
      <div className="w-8 max-md:w-10">
        {admin && !revoked ? (
          <Menu
            label={`More for ${token.name}`}
            items={[
              ...(token.kind === 'browser'
                ? [{ label: 'Change pages', icon: <Globe aria-hidden />, onSelect: () => setAsking('pages') }]
                : []),
              { label: 'Rotate', icon: <RefreshCw aria-hidden />, onSelect: () => setAsking('rotate') },
              {
                label: 'Revoke',
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
        title={`Revoke the token “${token.name}”?`}
        action="Revoke"
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate()}
      >
        {token.kind === 'browser' ? 'Pages that have it' : 'Programs that use it'} are refused from now on.
        This can’t be undone; its count of requests stays.
      </Confirm>
      <Confirm
        open={asking === 'rotate'}
        onClose={() => setAsking(null)}
        title={`Make a new secret for “${token.name}”?`}
        action="Rotate"
        busy={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate()}
      >
        The old one stops working at once. The new one is shown once.
      </Confirm>
      {asking === 'pages' ? <PagesDialog token={token} onClose={() => setAsking(null)} /> : null}
    </li>
  );
}
