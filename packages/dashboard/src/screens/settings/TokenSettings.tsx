import type { ApiToken } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Ban, KeyRound, Plus, RefreshCw } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { tokensQuery } from '../../queries.ts';
import { dateOf } from '../../times.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm, Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Page, Rows } from '../../ui/Page.tsx';
import { Badge, Empty, ListBones } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { count } from '../../words.ts';
import { DayBars } from './DayBars.tsx';
import { SecretDialog } from './SecretDialog.tsx';

type Scopes = 'read' | 'read,write';

/** The keys of programs that speak with the REST API. */
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
      New token
    </Button>
  ) : null;
  return (
    <Page
      place="settings tokens"
      title="API tokens"
      intro="Keys for programs that use the REST API. Keep them out of web pages."
      actions={tokens && tokens.length > 0 ? create : null}
    >
      {error && !data ? (
        <ErrorNote error={error} title="The tokens could not be loaded." onRetry={() => void refetch()} />
      ) : !tokens ? (
        <ListBones rows={3} face={false} />
      ) : tokens.length === 0 ? (
        <Empty icon={<KeyRound />} title="No tokens yet" action={create}>
          A token lets a program read chats and ratings, or write visitors and events.
        </Empty>
      ) : (
        <Rows label="API tokens">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onSecret={setShown} />
          ))}
        </Rows>
      )}
      {creating ? <CreateDialog onClose={() => setCreating(false)} onSecret={setShown} /> : null}
      <SecretDialog
        secret={shown}
        title="Your token"
        label="Copy the token"
        onClose={() => setShown(null)}
        text="Put it where your program keeps its secrets. Only its hash is stored here."
      />
    </Page>
  );
}

function TokenRow({ token, onSecret }: { token: ApiToken; onSecret: (secret: string) => void }) {
  const [asking, setAsking] = useState<'revoke' | 'rotate' | null>(null);
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
          {revoked ? (
            <Badge tone="danger">Revoked</Badge>
          ) : (
            <Badge>{token.scopes.includes('write') ? 'Read and write' : 'Read'}</Badge>
          )}
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
        Programs that use it are refused from now on. This can’t be undone; its count of requests stays.
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
    </li>
  );
}

function CreateDialog({ onClose, onSecret }: { onClose: () => void; onSecret: (secret: string) => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scopes>('read');
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: () => call('api_tokens.create', { name, scopes }),
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onClose();
      onSecret(made.token);
    },
  });
  const fields = create.error instanceof ApiError ? create.error : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="New API token"
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="token" busy={create.isPending}>
            Create token
          </Button>
        </>
      }
    >
      <form id="token" onSubmit={submit} className="space-y-4">
        <TextField
          label="Name"
          hint="Of the program that will use it."
          required
          autoFocus
          maxLength={100}
          value={name}
          error={fields?.issue('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label="Scope"
          hint={
            scopes === 'read' ? 'It can look at everything of this site.' : 'It can also change and delete.'
          }
          value={scopes}
          onChange={(event) => setScopes(event.target.value === 'read' ? 'read' : 'read,write')}
        >
          <option value="read">Read</option>
          <option value="read,write">Read and write</option>
        </SelectField>
        {create.error && !(fields && fields.issues.length > 0) ? <ErrorNote error={create.error} /> : null}
      </form>
    </Dialog>
  );
}
