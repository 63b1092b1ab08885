import type { ApiToken } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { tokensQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Page, Rows, Section } from '../../ui/Page.tsx';
import { Empty, ListBones } from '../../ui/States.tsx';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { SecretDialog } from './SecretDialog.tsx';
import { TokenRow } from './TokenRow.tsx';

const GROUPS = [
  {
    kind: 'api',
    title: 'For servers',
    intro: 'Whoever has one can read the chats of this site. Keep them out of web pages.',
  },
  {
    kind: 'browser',
    title: 'For web pages',
    intro: 'Browser tokens: they write visitors and events, and read nothing.',
  },
] as const satisfies { kind: ApiToken['kind']; title: string; intro: string }[];

/** The keys of programs that speak with the REST API, and of pages. */
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
      intro="Keys by which programs and pages use the REST API."
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
        GROUPS.map((group) => {
          const own = tokens.filter(({ kind }) => kind === group.kind);
          if (own.length === 0) return null;
          return (
            <Section key={group.kind} title={group.title} intro={group.intro}>
              <Rows label={`Tokens ${group.title.toLowerCase()}`}>
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
        title="Your token"
        label="Copy the token"
        onClose={() => setShown(null)}
        text={
          shown?.startsWith('foyb_')
            ? 'Put it into your page as apiToken of boot. Only its hash is stored here.'
            : 'Put it where your program keeps its secrets. Only its hash is stored here.'
        }
      />
    </Page>
  );
}
