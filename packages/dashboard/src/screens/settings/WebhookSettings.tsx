import type { WebhookSubscription } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { webhooksQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Page, Rows } from '../../ui/Page.tsx';
import { Badge, Empty, ListBones } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { count } from '../../words.ts';
import { SecretDialog } from './SecretDialog.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookRetention } from './WebhookRetention.tsx';

/** The addresses that are told what happens. */
export function WebhookSettings() {
  const { data, error, refetch } = useQuery(webhooksQuery);
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const admin = useIsAdmin();
  const create = admin ? (
    <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setCreating(true)}>
      New webhook
    </Button>
  ) : null;
  const list = data?.items;
  return (
    <Page
      place="settings webhooks"
      title="Webhooks"
      intro="Tell your own systems what happens here, signed, and tried again when they are down."
      actions={list && list.length > 0 ? create : null}
    >
      {error && !data ? (
        <ErrorNote error={error} title="The webhooks could not be loaded." onRetry={() => void refetch()} />
      ) : !list ? (
        <ListBones rows={2} face={false} />
      ) : list.length === 0 ? (
        <Empty icon={<Webhook />} title="No webhooks yet" action={create}>
          An address of yours that is told of handoffs, ratings and more.
        </Empty>
      ) : (
        <Rows label="Webhooks">
          {list.map((one) => (
            <Row key={one.id} subscription={one} />
          ))}
        </Rows>
      )}
      {list && list.length > 0 ? <WebhookRetention /> : null}
      {creating ? (
        <WebhookDialog
          subscription={null}
          onClose={() => setCreating(false)}
          onSaved={(saved) => {
            setCreating(false);
            setSecret(saved.secret ?? null);
          }}
        />
      ) : null}
      <SecretDialog
        secret={secret}
        title="The webhook’s secret"
        label="Copy the secret"
        text="Your receiver checks the signature of each delivery with it."
        onClose={() => setSecret(null)}
      />
    </Page>
  );
}

function State({ subscription }: { subscription: WebhookSubscription }) {
  if (!subscription.enabled) return <Badge tone="warn">Off</Badge>;
  return subscription.failing_since_utc ? (
    <Badge tone="danger">Failing</Badge>
  ) : (
    <Badge tone="good">On</Badge>
  );
}

function Row({ subscription }: { subscription: WebhookSubscription }) {
  return (
    <li>
      <Link
        to="/settings/webhooks/$subscriptionId"
        params={{ subscriptionId: String(subscription.id) }}
        className="-outline-offset-2 flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{subscription.description || subscription.url}</span>
          <span className="block truncate text-soft text-xs">
            {subscription.description ? `${subscription.url} · ` : ''}
            {count(subscription.events.length, 'event')} ·{' '}
            {subscription.last_delivery_utc ? (
              <>
                last delivery <Ago words utc={subscription.last_delivery_utc} />
              </>
            ) : (
              'nothing delivered yet'
            )}
          </span>
          {!subscription.enabled && subscription.disabled_reason ? (
            <span className="block truncate text-warn-text text-xs">{subscription.disabled_reason}</span>
          ) : null}
          {subscription.enabled && subscription.failing_since_utc ? (
            <span className="block truncate text-danger-text text-xs">
              Every attempt fails; the first did <Ago words utc={subscription.failing_since_utc} />
            </span>
          ) : null}
        </span>
        <State subscription={subscription} />
        <ChevronRight aria-hidden className="size-4 shrink-0 text-faint" />
      </Link>
    </li>
  );
}
