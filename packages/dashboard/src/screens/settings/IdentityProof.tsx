import type { IdentitySecret } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { identitySecretQuery } from '../../queries.ts';
import { dateOf, exact } from '../../times.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Section } from '../../ui/Page.tsx';
import { SecretDialog } from './SecretDialog.tsx';

const INTRO =
  'Without proof anybody could call identify with the user_id of somebody else. With a secret, your server signs ' +
  'the id as userHash, and only that is believed.';

/** The secret by which a site's server proves who its visitors are. */
export function IdentityProof() {
  const { data, error, refetch } = useQuery(identitySecretQuery);
  const [shown, setShown] = useState<string | null>(null);
  return (
    <Section title="Prove who is signed in" intro={INTRO}>
      {error && data === undefined ? (
        <ErrorNote error={error} title="The setting could not be loaded." onRetry={() => void refetch()} />
      ) : data === undefined ? null : (
        <SecretState secret={data} onSecret={setShown} />
      )}
      <SecretDialog
        secret={shown}
        title="Your identity secret"
        label="Copy the secret"
        onClose={() => setShown(null)}
        text="Put it where your server keeps its secrets, never into a page. Then send userHash from every page that identifies."
      />
    </Section>
  );
}

function SecretState({ secret, onSecret }: { secret: IdentitySecret; onSecret: (secret: string) => void }) {
  const [asking, setAsking] = useState<'rotate' | 'remove' | null>(null);
  const admin = useIsAdmin();
  const client = useQueryClient();
  const done = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: identitySecretQuery.queryKey });
    setAsking(null);
  };
  const rotate = useMutation({
    mutationFn: () => call('identity_secret.rotate', {}),
    onSuccess: async (made) => {
      await done();
      onSecret(made.secret);
    },
  });
  const remove = useMutation({ mutationFn: () => call('identity_secret.remove', {}), onSuccess: done });
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border px-4 py-3">
        <div className="min-w-0 flex-1 basis-52">
          <p className="font-medium">{secret ? 'Identities are verified' : 'Every page is believed'}</p>
          {secret ? (
            <p className="text-soft text-xs">
              Secret <code className="font-mono">…{secret.hint}</code> · made {dateOf(secret.created_utc)}
              {secret.previous_until_utc
                ? ` · the one before proves until ${exact(secret.previous_until_utc)}`
                : null}
            </p>
          ) : (
            <p className="text-soft text-xs">There is no secret yet.</p>
          )}
        </div>
        {admin && secret ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setAsking('rotate')}>Rotate</Button>
            <Button onClick={() => setAsking('remove')}>Remove</Button>
          </div>
        ) : admin ? (
          <Button icon={<ShieldCheck aria-hidden className="size-4" />} onClick={() => setAsking('rotate')}>
            Make a secret
          </Button>
        ) : null}
      </div>
      <Confirm
        open={asking === 'rotate'}
        onClose={() => setAsking(null)}
        title={secret ? 'Make a new identity secret?' : 'Verify identities from now on?'}
        action={secret ? 'Rotate' : 'Make a secret'}
        danger={false}
        busy={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate()}
      >
        {secret
          ? 'The new one is shown once. The old one proves for 24 hours more, so that you can change your servers in peace.'
          : 'The secret is shown once. From then on visitors whose page sends no userHash are marked as unverified and see the chats of their own browser alone.'}
      </Confirm>
      <Confirm
        open={asking === 'remove'}
        onClose={() => setAsking(null)}
        title="Stop verifying identities?"
        action="Remove the secret"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        From now on every page is believed, and nobody counts as verified. The secret can’t be brought back;
        you can make a new one.
      </Confirm>
    </>
  );
}
