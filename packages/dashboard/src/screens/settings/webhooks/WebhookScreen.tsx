import type { WebhookSubscription } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Pencil, RefreshCw, Send, Trash2, TriangleAlert, Webhook } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { Badge, Callout, Empty } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { SecretDialog } from '../SecretDialog.tsx';
import { DeliveryLog } from './DeliveryLog.tsx';
import { t } from './t.ts';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookHourChart } from './WebhookHourChart.tsx';
import { WebhookResend } from './WebhookResend.tsx';
import { webhooksQuery } from './webhook-queries.ts';
import { whySaid } from './why-words.ts';

const route = getRouteApi('/desk/settings/webhooks/$subscriptionId');

/** One webhook: its events, and every delivery. */
export function WebhookScreen() {
  const id = Number(route.useParams().subscriptionId);
  const { data, error, refetch } = useQuery(webhooksQuery);
  const subscription = data?.items.find((one) => one.id === id);
  if (subscription) return <Loaded key={id} subscription={subscription} />;
  return (
    <Page place="webhook" title={t('title_one')} back={{ to: '/settings/webhooks', label: t('all') }}>
      {data ? (
        <Empty icon={<Webhook />} title={t('none_such')}>
          {t('none_such_hint')}
        </Empty>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('one_failed')} height="h-40" />
      )}
    </Page>
  );
}

interface SubscriptionProps {
  subscription: WebhookSubscription;
}

function Loaded({ subscription }: SubscriptionProps) {
  const admin = useMay('integrations');
  const { id, enabled } = subscription;
  // The whole address, which may be long, is below.
  const name = subscription.description || new URL(subscription.url).host;
  return (
    <Page
      wide
      place={`webhook ${id}`}
      title={name}
      back={{ to: '/settings/webhooks', label: t('all') }}
      actions={
        admin ? (
          <>
            <TestButton subscription={subscription} />
            <WebhookMenu subscription={subscription} name={name} />
          </>
        ) : null
      }
    >
      <Summary subscription={subscription} />
      <Section title={t('by_hour')}>
        <WebhookHourChart subscriptionId={id} />
      </Section>
      <Section
        title={t('deliveries')}
        intro={t('deliveries_intro')}
        actions={admin ? <WebhookResend subscriptionId={id} disabled={!enabled} /> : null}
      >
        <DeliveryLog subscriptionId={id} />
      </Section>
    </Page>
  );
}

function TestButton({ subscription: { id, enabled } }: SubscriptionProps) {
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => call('webhook_subscriptions.test', { id }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['deliveries', id] });
      toast.success(t('test_done'));
    },
    onError: (error) => toast.error(t('test_failed'), error),
  });
  return (
    <Button
      icon={<Send aria-hidden className="size-4" />}
      busy={test.isPending}
      disabled={!enabled}
      onClick={() => test.mutate()}
    >
      {t('test')}
    </Button>
  );
}

/** Edits a webhook, rotates its secret, deletes it. */
function WebhookMenu({ subscription, name }: SubscriptionProps & { name: string }) {
  const [layer, setLayer] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  const { id } = subscription;
  const close = (): void => setLayer(null);
  return (
    <>
      <Menu
        label={t('more')}
        items={[
          { label: t('edit'), icon: <Pencil aria-hidden />, onSelect: () => setLayer('edit') },
          { label: t('new_secret'), icon: <RefreshCw aria-hidden />, onSelect: () => setLayer('rotate') },
          {
            label: t('delete'),
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => setLayer('delete'),
          },
        ]}
      />
      {layer === 'edit' ? (
        <WebhookDialog subscription={subscription} onClose={close} onSaved={close} />
      ) : null}
      <ConfirmAction
        open={layer === 'rotate'}
        onClose={close}
        title={t('rotate_ask')}
        action={t('rotate')}
        danger={false}
        run={() => call('webhook_subscriptions.update', { id, rotate_secret: true })}
        onDone={async (made) => {
          await refresh();
          close();
          setSecret(made.secret ?? null);
        }}
      >
        {t('rotate_hint')}
      </ConfirmAction>
      <ConfirmAction
        open={layer === 'delete'}
        onClose={close}
        title={t('delete_ask', { name })}
        action={t('delete_action')}
        run={() => call('webhook_subscriptions.delete', { id })}
        onDone={async () => {
          await navigate({ to: '/settings/webhooks' });
          await refresh();
        }}
      >
        {t('delete_hint')}
      </ConfirmAction>
      <NewSecret secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function NewSecret({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  return (
    <SecretDialog
      secret={secret}
      title={t('secret_new_title')}
      label={t('secret_copy')}
      text={t('secret_new_text')}
      onClose={onClose}
    />
  );
}

/** Whether it delivers, why not, where to, and which events. */
function Summary({ subscription }: SubscriptionProps) {
  const admin = useMay('integrations');
  const client = useQueryClient();
  const { id, enabled, disabled_reason, failing_since_utc } = subscription;
  const enable = useMutation({
    mutationFn: (on: boolean) => call('webhook_subscriptions.update', { id, enabled: on }),
    onSuccess: () => client.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
    onError: (error) => toast.error(t('unchanged'), error),
  });
  return (
    <div className="mb-8 space-y-4 rounded-lg border p-4">
      {disabled_reason && !enabled ? (
        <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
          {whySaid(disabled_reason)} {t('disabled_hint')}
        </Callout>
      ) : null}
      {enabled && failing_since_utc ? (
        <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
          {t.rich('failing_hint', { when: <Ago words utc={failing_since_utc} /> })}
        </Callout>
      ) : null}
      <Toggle
        label={t('deliver')}
        hint={subscription.url}
        on={enabled}
        disabled={!admin}
        busy={enable.isPending}
        onChange={enable.mutate}
      />
      <div className="flex flex-wrap gap-1.5">
        {subscription.events.map((event) => (
          <span key={event} title={t(`event_${event}`)}>
            <Badge>{event}</Badge>
          </span>
        ))}
      </div>
      <p className="text-soft">
        {t.rich('secret', {
          secret: <code className="font-mono text-[13px]">whsec_…{subscription.secret_hint}</code>,
        })}
      </p>
    </div>
  );
}
