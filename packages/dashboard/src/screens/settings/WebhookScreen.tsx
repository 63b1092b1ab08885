import type { WebhookSubscription } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Pencil, RefreshCw, Send, Trash2, TriangleAlert, Webhook } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { webhooksQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { Badge, Bone, Callout, Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { complain, say } from '../../ui/toast-store.ts';
import { DeliveryLog } from './DeliveryLog.tsx';
import { EVENT_WORDS } from './event-words.ts';
import { SecretDialog } from './SecretDialog.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookHourChart } from './WebhookHourChart.tsx';
import { WebhookResend } from './WebhookResend.tsx';

const route = getRouteApi('/desk/settings/webhooks/$subscriptionId');

/** One webhook: what it hears, and every delivery. */
export function WebhookScreen() {
  const id = Number(route.useParams().subscriptionId);
  const { data, error, refetch } = useQuery(webhooksQuery);
  const subscription = data?.items.find((one) => one.id === id);
  if (subscription) return <Loaded subscription={subscription} />;
  if (data) {
    return (
      <div className="flex-1 bg-surface">
        <Empty icon={<Webhook />} title="There is no such webhook">
          It may have been deleted, or the link is incomplete.
        </Empty>
      </div>
    );
  }
  return (
    <Page place="webhook" title="Webhook">
      {error ? (
        <ErrorNote error={error} title="The webhook could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <Bone className="late pulse-soft h-40" />
      )}
    </Page>
  );
}

function useWebhookActions(subscription: WebhookSubscription) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  const { id } = subscription;
  const test = useMutation({
    mutationFn: () => call('webhook_subscriptions.test', { id }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['deliveries', id] });
      say('A test is on its way. See it below.');
    },
    onError: (error) => complain('The test was not sent', error),
  });
  const enable = useMutation({
    mutationFn: (enabled: boolean) => call('webhook_subscriptions.update', { id, enabled }),
    onSuccess: refresh,
    onError: (error) => complain('Nothing was changed', error),
  });
  const rotate = useMutation({
    mutationFn: () => call('webhook_subscriptions.update', { id, rotate_secret: true }),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: () => call('webhook_subscriptions.delete', { id }),
    onSuccess: async () => {
      await navigate({ to: '/settings/webhooks' });
      await refresh();
    },
  });
  return { test, enable, rotate, remove };
}

function Loaded({ subscription }: { subscription: WebhookSubscription }) {
  const [layer, setLayer] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const admin = useIsAdmin();
  const { test, enable, rotate, remove } = useWebhookActions(subscription);
  const close = (): void => setLayer(null);
  // The whole address, which may be long, stands below.
  const name = subscription.description || new URL(subscription.url).host;
  return (
    <Page
      wide
      place={`webhook ${subscription.id}`}
      title={name}
      back={{ to: '/settings/webhooks', label: 'All webhooks' }}
      actions={
        admin ? (
          <>
            <Button
              icon={<Send aria-hidden className="size-4" />}
              busy={test.isPending}
              disabled={!subscription.enabled}
              onClick={() => test.mutate()}
            >
              Send a test
            </Button>
            <Menu
              label="More"
              items={[
                { label: 'Edit', icon: <Pencil aria-hidden />, onSelect: () => setLayer('edit') },
                { label: 'New secret', icon: <RefreshCw aria-hidden />, onSelect: () => setLayer('rotate') },
                {
                  label: 'Delete',
                  icon: <Trash2 aria-hidden />,
                  danger: true,
                  onSelect: () => setLayer('delete'),
                },
              ]}
            />
          </>
        ) : null
      }
    >
      <div className="mb-8 space-y-4 rounded-lg border p-4">
        {subscription.disabled_reason && !subscription.enabled ? (
          <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
            {subscription.disabled_reason} What was still to be sent goes out when you switch it on again;
            what happens meanwhile is not sent later.
          </Callout>
        ) : null}
        {subscription.enabled && subscription.failing_since_utc ? (
          <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
            Every attempt fails; the first did <Ago words utc={subscription.failing_since_utc} />. Foyer tries
            again, and switches the webhook off after five days.
          </Callout>
        ) : null}
        <Toggle
          label="Deliver events"
          hint={subscription.url}
          on={subscription.enabled}
          disabled={!admin || enable.isPending}
          onChange={(on) => enable.mutate(on)}
        />
        <div className="flex flex-wrap gap-1.5">
          {subscription.events.map((event) => (
            <span key={event} title={EVENT_WORDS[event]}>
              <Badge>{event}</Badge>
            </span>
          ))}
        </div>
        <p className="text-soft">
          Secret: <code className="font-mono text-[13px]">whsec_…{subscription.secret_hint}</code>
        </p>
      </div>
      <Section title="Attempts by the hour">
        <WebhookHourChart subscriptionId={subscription.id} />
      </Section>
      <Section
        title="Deliveries"
        intro="The newest first, with every attempt."
        actions={
          admin ? <WebhookResend subscriptionId={subscription.id} disabled={!subscription.enabled} /> : null
        }
      >
        <DeliveryLog subscriptionId={subscription.id} />
      </Section>
      {layer === 'edit' ? (
        <WebhookDialog subscription={subscription} onClose={close} onSaved={close} />
      ) : null}
      <Confirm
        open={layer === 'rotate'}
        onClose={close}
        title="Make a new secret?"
        action="Make a new secret"
        busy={rotate.isPending}
        error={rotate.error}
        danger={false}
        onConfirm={() =>
          rotate.mutate(undefined, {
            onSuccess: (made) => {
              close();
              setSecret(made.secret ?? null);
            },
          })
        }
      >
        For 24 hours deliveries are signed with both, so that your receiver can change over without losing
        any.
      </Confirm>
      <Confirm
        open={layer === 'delete'}
        onClose={close}
        title={`Delete the webhook to ${name}?`}
        action="Delete webhook"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        Nothing more is sent there, and its delivery log goes too. To pause it, switch “Deliver events” off
        instead.
      </Confirm>
      <SecretDialog
        secret={secret}
        title="The new secret"
        label="Copy the secret"
        text="The old one still signs for 24 hours."
        onClose={() => setSecret(null)}
      />
    </Page>
  );
}
